/** Contents of files. Their requests are not among those that pages show as code: a page of pictures has hundreds. */
import { computed, signal } from '@preact/signals';
import type { Files, Untyped } from '../../client/index.ts';
import { database } from './service.ts';

export const FILE = 'core.file';

/** The files of the application that is open, as whoever has entered. */
export const files = computed(() => database.value.files);

export interface Upload {
  readonly file: File;
  readonly to: Files<Untyped>;
  readonly control: AbortController;
  /** Bytes that have gone. */
  readonly sent: number;
  readonly error: unknown;
}

/** Uploads that are not done, also while other pages are open; and how many are. */
export const uploads = signal<readonly Upload[]>([]);
export const stored = signal(0);

let last = Promise.resolve();

/** Uploads files, one after the other. */
export function upload(chosen: Iterable<File>): void {
  const added = Array.from(chosen, (file) => ({
    ...{ file, to: files.value, sent: 0, error: undefined },
    control: new AbortController(),
  }));
  uploads.value = [...uploads.value, ...added];
  for (const each of added) last = last.then(() => send(each));
}

export function stop({ file, control }: Upload): void {
  control.abort();
  forget(file);
}

async function send({ file, to, control: { signal: ends } }: Upload): Promise<void> {
  if (ends.aborted) return;
  const note = (part: Partial<Upload>) => {
    uploads.value = uploads.value.map((each) => (each.file === file ? { ...each, ...part } : each));
  };
  const onProgress = (sent: number) => note({ sent });
  try {
    await to.upload(file, { signal: ends, onProgress });
    forget(file);
    stored.value += 1;
  } catch (error) {
    note({ error });
  }
}

function forget(file: File): void {
  uploads.value = uploads.value.filter((each) => each.file !== file);
}
