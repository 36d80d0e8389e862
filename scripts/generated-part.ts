/** Pages of docs/ of which a command writes one part: what stands between its markers. The rest is written by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import options from '../.oxfmtrc.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');

export interface Markers {
  readonly opening: string;
  readonly closing: string;
}

/** The markers of a part that a command makes. */
export function markersOf(command: string): Markers {
  return { opening: `<!-- Made by ${command}. -->`, closing: '<!-- End. -->' };
}

/** Puts a part between its markers and formats the page; `path` begins at the root of the project. */
export async function writePart(path: string, { opening, closing }: Markers, part: string): Promise<void> {
  const page = join(ROOT, path);
  const text = readFileSync(page, 'utf8');
  const begin = text.indexOf(opening);
  const end = text.indexOf(closing, begin);
  if (begin === -1 || end === -1) throw new Error(`${path} has lost its markers.`);
  const written = `${text.slice(0, begin)}${opening}\n\n${part}\n\n${text.slice(end)}`;
  writeFileSync(page, await formatted(page, written));
}

/** A text in the form that `npm run format` asks for. The path says which language it is. */
export async function formatted(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, options);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(' ')}`);
  return code;
}
