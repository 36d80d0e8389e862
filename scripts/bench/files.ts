/**
 * `npm run bench -- --files`: contents of files (docs/files.md) up and down, beside the bare bucket, and beside files
 * on disk that a server of Node reads and writes in one process, as peers do. All in turn, in one run.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startRuntime } from '../runtime.ts';
import { startForedge } from './foredge/serve.ts';
import { inParallel } from './load.ts';
import { temporaryFolder } from './processes.ts';
import { machineLine } from './report.ts';
import { figuresOf, markdownTable, short, times, type Sample } from './stats.ts';

/** Bytes of a content, and how many go up or down in a round. */
const SIZES = [
  { name: '10 KB', bytes: 10_000, many: 400 },
  { name: '1 MB', bytes: 1_000_000, many: 60 },
  { name: '100 MB', bytes: 100_000_000, many: 3 },
] as const;

/** At a time. */
const WIDTH = 4;

interface Store {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the content with a number goes. */
  readonly upTo: (n: number) => string;
  /** Where it comes from, by what the answer to it was. */
  readonly downFrom: (n: number, answer: string) => string;
}

/** The report. */
export async function runFiles(rounds: number): Promise<string> {
  const bare = await startRuntime({
    ...{ port: 0, data: temporaryFolder(), className: 'Floor', log: () => undefined },
    secrets: { CREDENTIAL_SECRETS: '', OPERATOR_SECRET: '' },
    entry: join(import.meta.dirname, 'files/worker.ts'),
  });
  const disk = await serveDisk();
  try {
    const stores = [await ofForedge(), plain('bucket', bare.url), plain('disk', disk.url)];
    const rows: string[][] = [];
    for (const { name, bytes, many } of SIZES) {
      const samples = await runSize(stores, { bytes, many, rounds });
      for (const way of ['up', 'down'] as const) {
        const rates = stores.map((store) => figuresOf(samples.get(`${way} ${store.name}`) ?? []).rate);
        const [ours = 0, bucket = 0, files = 0] = rates;
        rows.push([`${name} ${way}`, ...rates.map(short), times(ours / bucket), times(ours / files)]);
      }
    }
    const head = ['Content', 'Foredge, a second', 'bucket', 'disk', 'to the bucket', 'to the disk'];
    return `${machineLine([])}\n\n${markdownTable(head, rows)}`;
  } finally {
    await bare.stop();
    disk.stop();
  }
}

async function ofForedge(): Promise<Store> {
  const { url, application, key } = (await startForedge({ FILE_BYTES: '200000000' })).credentials;
  return {
    name: 'foredge',
    headers: { 'application-id': application, 'api-key': key, 'content-type': 'text/plain' },
    upTo: () => `${url}/files/core.file`,
    downFrom: (_, answer) => {
      const { data } = JSON.parse(answer) as { readonly data: { readonly id: string } };
      return `${url}/files/core.file/${data.id}/content`;
    },
  };
}

function plain(name: string, url: string): Store {
  const at = (n: number) => `${url}/${n}`;
  return { name, headers: {}, upTo: at, downFrom: at };
}

interface Sized {
  readonly bytes: number;
  readonly many: number;
  readonly rounds: number;
}

async function runSize(stores: readonly Store[], { bytes, many, rounds }: Sized) {
  const samples = new Map<string, Sample[]>();
  const content = new Uint8Array(bytes).fill(97);
  const note = (name: string, sample: Sample) => samples.set(name, [...(samples.get(name) ?? []), sample]);
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, headers, upTo, downFrom } of stores) {
      const first = round * many;
      const answers: string[] = [];
      const up = await inRow(many, async (at) => {
        const sent = await fetch(upTo(first + at), { method: 'POST', headers, body: content });
        answers[at] = await sent.text();
        if (sent.status !== 201) throw new Error(`${name} answered ${sent.status}: ${answers[at]}`);
      });
      const down = await inRow(many, async (at) => {
        const got = await fetch(downFrom(first + at, answers[at] ?? ''), { headers });
        const { byteLength } = await got.arrayBuffer();
        if (byteLength !== bytes) throw new Error(`${name} sent ${byteLength} bytes.`);
      });
      if (round === 0) continue;
      note(`up ${name}`, up);
      note(`down ${name}`, down);
    }
    console.error(`  ${bytes} bytes, round ${round}`);
  }
  return samples;
}

/** So many, a few at a time. */
async function inRow(many: number, run: (at: number) => Promise<void>): Promise<Sample> {
  const taken: number[] = [];
  const begun = performance.now();
  await inParallel(Array(many).keys(), WIDTH, async (at) => {
    const started = performance.now();
    await run(at);
    taken.push(performance.now() - started);
  });
  return { times: taken, seconds: (performance.now() - begun) / 1000 };
}

/** Files on disk by one process. */
async function serveDisk() {
  const folder = temporaryFolder();
  const server = createServer((request, response) => {
    const file = join(folder, (request.url ?? '').replaceAll(/\W/g, ''));
    const done =
      request.method === 'POST'
        ? pipeline(request, createWriteStream(file)).then(() => void response.writeHead(201).end())
        : pipeline(createReadStream(file), response);
    done.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
