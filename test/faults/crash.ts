/**
 * The crash run: `npm start` on a folder, writers at work, every process killed at a random moment, and again. After
 * each death the files are looked into; after each start all that was answered must be there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FirstApplication } from '../../scripts/data-folder.ts';
import { startRuntime } from '../../scripts/runtime.ts';
import { Client, type Resource } from '../support/client.ts';
import { contentsOf, FILES, upload } from '../support/files.ts';
import { until as waitUntil } from '../support/started.ts';
import { clientOf, Starts } from '../support/starts.ts';
import { workerNamed } from '../support/own-service.ts';
import { auditAccounts, listAll, openAccounts } from './crash/bank.ts';
import { CrashHistory } from './crash/history.ts';
import { CrashFiles, idsOf, leavePiece } from './crash/files.ts';
import { makeVows, NUMBERS, TYPE, WORDS, Writer } from './crash/writers.ts';
import { lapse, lookIntoFiles, type FilesSeen } from './files.ts';
import { Promises, type Vow } from './promises.ts';
import { Random } from './random.ts';
import type { Figures, Limits } from './run.ts';

const WRITERS = 6;
/** Writes that are answered before a death: fewer than so many. */
const MOST_WRITES = 250;

export async function runCrashes({
  seed,
  kills,
  until,
}: Limits & { readonly kills: number }): Promise<Figures> {
  const starts = await Starts.prepare();
  const run = new CrashRun(starts, new Random(seed));
  try {
    for (let kill = 0; kill < kills && Date.now() < until; kill += 1) await run.round(kill);
    await run.sweep();
    return run.figures;
  } catch (error) {
    throw new Error(`The crash run of seed ${seed} failed.`, { cause: error });
  } finally {
    await starts.end();
  }
}

class CrashRun {
  readonly #starts: Starts;
  readonly #random: Random;
  readonly #promises = new Promises();
  readonly #vows: Vow[] = [];
  readonly #contents = new CrashFiles();
  readonly #history = new CrashHistory();
  #counters: ReadonlyMap<string, number> = new Map();
  #kills = 0;
  #files = 0;
  #checks = 0;
  #compared = 0;
  #versions = 0;
  #swept = 0;

  constructor(starts: Starts, random: Random) {
    this.#starts = starts;
    this.#random = random;
  }

  get figures(): Figures {
    return {
      Kills: this.#kills,
      'Answered writes': this.#promises.answered,
      'Checks after starting again': this.#checks,
      'Files looked into after a death': this.#files,
      'Contents compared': this.#compared,
      'Versions compared': this.#versions,
      'Contents without a file that were swept': this.#swept,
    };
  }

  get #secrets() {
    const text = readFileSync(join(this.#starts.folder, 'secrets.json'), 'utf8');
    return JSON.parse(text) as Record<'CREDENTIAL_SECRETS' | 'OPERATOR_SECRET', string>;
  }

  /** Starts, looks, writes, dies. */
  async round(number: number): Promise<void> {
    const server = await this.#starts.run();
    const client = clientOf(server);
    if (number === 0) {
      await openAccounts(client);
      await this.#history.begin(client);
    }
    await this.#check(client);
    const random = this.#random.fork(number);
    const enough = this.#promises.answered + 1 + random.below(MOST_WRITES);
    const state = { over: false };
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      new Writer(client, this.#promises, random.fork(index), `w${number}.${index}`).run(() => state.over),
    );
    const vows = makeVows(client, number, this.#vows);
    const contents = this.#contents.run(client, random.fork(WRITERS), () => state.over);
    const history = this.#history.run(client, random.fork(WRITERS + 1), () => state.over);
    const all = Promise.all([...writers, contents, history, vows]);
    const failure = all.then(
      () => null,
      (error: unknown) => error,
    );
    await waitUntil('enough writes are answered', () => this.#promises.answered >= enough);
    await server.killAll();
    state.over = true;
    const error = await failure;
    if (error !== null) throw new Error('A writer was answered what it should not be.', { cause: error });
    this.#kills += 1;
    this.#lookIntoFiles();
  }

  /** A last look at what the last death has left; then as much time passes as contents without files are kept. */
  async sweep(): Promise<void> {
    const server = await this.#starts.run();
    await this.#check(clientOf(server));
    await leavePiece(clientOf(server));
    await server.killAll();
    const { due } = this.#lookIntoFiles();
    lapse(this.#starts.folder);
    await this.#untilSwept();
    this.#swept = due;
    const left = this.#lookIntoFiles();
    this.#expect(left.parts === 0, `${left.parts} uploads are left in parts`);
  }

  /** Waits until the bucket has the contents of files and no others. */
  async #untilSwept(): Promise<void> {
    const data = this.#starts.folder;
    const entry = workerNamed('late-picture');
    const { url, stop } = await startRuntime({
      port: 0,
      data,
      secrets: this.#secrets,
      entry,
      log: () => undefined,
    });
    try {
      const first = JSON.parse(
        readFileSync(join(data, 'first-application.json'), 'utf8'),
      ) as FirstApplication;
      const client = new Client(url, first.application_id, first.api_key);
      // A deletion wakes the sweep, which would sleep until the time that was turned forward.
      const made = await upload(client, 'x');
      await client.delete(`${FILES}/${made.body.data.id}`);
      await waitUntil('contents without files are gone', async () => {
        const contents = await contentsOf(client);
        const files = await idsOf(client);
        return contents.length === files.size && contents.every((id) => files.has(id));
      });
    } finally {
      await stop();
    }
  }

  #lookIntoFiles(): FilesSeen {
    const seen = lookIntoFiles(this.#starts.folder);
    const { files, counters, faults } = seen;
    this.#expect(faults.length === 0, faults.join('; '));
    for (const [file, counter] of this.#counters)
      this.#expect((counters.get(file) ?? -1) >= counter, `the counter of ${file} went back`);
    this.#counters = counters;
    this.#files += files;
    return seen;
  }

  async #check(client: Client): Promise<void> {
    const { documents, total } = await listAll(client, TYPE);
    this.#expect(documents.length === total, `${total} documents are counted, ${documents.length} listed`);
    const faults = this.#promises.compare(documents);
    this.#expect(faults.length === 0, faults.slice(0, 5).join('\n'));
    const compared = await this.#contents.compare(client);
    this.#expect(compared.faults.length === 0, compared.faults.slice(0, 5).join('\n'));
    this.#compared += compared.contents;
    const past = await this.#history.compare(client);
    this.#expect(past.faults.length === 0, past.faults.slice(0, 5).join('\n'));
    this.#versions += past.versions;
    this.#checks += documents.length + compared.contents + past.versions;
    const { faults: wrong } = await auditAccounts(client);
    this.#expect(wrong.length === 0, wrong.join('\n'));
    await this.#checkTags(client);
    await this.#checkSearches(client, documents);
    for (const { says, holds } of this.#vows) this.#expect(await holds(client), `${says} was forgotten`);
  }

  /** A tag from before is good for a document that is unchanged, and the change that it allows ends it. */
  async #checkTags(client: Client): Promise<void> {
    for (const { id, tag } of this.#promises.living.filter(({ tag }) => tag !== '').slice(-10)) {
      const path = `/resources/${TYPE}/${id}`;
      this.#expect((await client.get(path, { 'if-none-match': tag })).status === 304, `${id} lost its tag`);
      const { etag } = await client.get(path);
      const stale = await client.patch(path, { data: { type: TYPE, id } }, { 'if-match': '"AAAA"' });
      this.#expect(etag !== '' && stale.status === 412, `${id} takes a tag that is none of its`);
    }
  }

  /** What indexes find is what is there. */
  async #checkSearches(client: Client, documents: readonly Resource[]): Promise<void> {
    const explain = { 'foredge-explain': this.#secrets.OPERATOR_SECRET };
    const search = async (filter: string, matches: (document: Resource) => boolean) => {
      const reply = await client.get(`/resources/${TYPE}?page[limit]=1000&sort=key&${filter}`, explain);
      const expected = documents.filter(matches).map(({ id }) => id);
      this.#expect(
        reply.body.meta.count === expected.length,
        `${filter} counts ${String(reply.body.meta.count)}`,
      );
      const found = reply.body.data.map(({ id }) => id);
      const known = new Set(expected);
      this.#expect(
        found.length === Math.min(1000, expected.length) && found.every((id) => known.has(id)),
        `${filter} finds others`,
      );
    };
    for (let n = 0; n < NUMBERS; n += 1) {
      await search(`filter[n]=${n}`, ({ attributes }) => attributes?.['n'] === n);
    }
    for (const word of WORDS) {
      const filter = `filter[*]=${encodeURIComponent(JSON.stringify({ $text: { $search: word } }))}`;
      await search(filter, ({ attributes }) => String(attributes?.['words']).includes(word));
    }
  }

  #expect(holds: boolean, otherwise: string): void {
    this.#checks += 1;
    if (!holds) throw new Error(`After ${this.#kills} kills: ${otherwise}`);
  }
}
