/**
 * `npm run bench -- --history <versions>`: what a history costs (docs/history.md). Of two types of the same documents,
 * one keeps so many versions of each: reads, updates and creates of both in turn, reads of the past, bytes a version.
 */
import {
  atomic,
  createMany,
  createOne,
  creation,
  headersOf,
  MEDIA_TYPE,
  type Credentials,
} from './foredge/api.ts';
import { startForedge } from './foredge/serve.ts';
import { Connections, exchangeOnce, inParallel, type Exchange } from './load.ts';
import type { Options } from './options.ts';
import { machineLine } from './report.ts';
import { markdownTable, short, times } from './stats.ts';
import { ratesInTurn, type Work } from './turns.ts';

const PLAIN = 'plain';
const VERSIONED = 'kept';

/** Operations of a list, and lists at a time. */
const TOGETHER = 1_000;
const LISTS = 2;

const TEXT = 'It was a dark and stormy night. '.repeat(18);
const attributesOf = (n: number) => ({ n, text: TEXT });

/** The report. */
export async function runHistory(versions: number, options: Options): Promise<string> {
  const size = options.sizes.at(-1) ?? 0;
  const { credentials } = await startForedge();
  await settle(credentials);
  const idsOf = new Map<string, readonly string[]>();
  for (const type of [PLAIN, VERSIONED]) {
    const resources = Array.from({ length: size }, (_, n) => ({ type, attributes: attributesOf(n) }));
    idsOf.set(type, (await createMany(credentials, resources)).ids);
  }
  const [before = 0] = await bytesOf(credentials);
  const begun = performance.now();
  for (let version = 2; version <= versions; version += 1) {
    await updateAll(credentials, idsOf.get(VERSIONED) ?? [], version);
    console.error(`  version ${version}`);
  }
  const seconds = (performance.now() - begun) / 1000;
  const [after = 0, plain = 0] = await bytesOf(credentials);
  const works = worksOf(credentials, idsOf);
  const rateOf = await ratesInTurn(credentials.url, works, options);
  const rows = ['read', 'list', 'update', 'create'].map((work) => {
    const [versioned, usual] = [rateOf(`${work} ${VERSIONED}`), rateOf(`${work} ${PLAIN}`)];
    return [work, short(usual), short(versioned), times(versioned / usual)];
  });
  const past = works
    .filter(({ name }) => !name.endsWith(PLAIN) && !name.endsWith(VERSIONED))
    .map(({ name }) => [name, '', short(rateOf(name)), times(rateOf(name) / rateOf(`read ${PLAIN}`))]);
  const written = size * Math.max(1, versions - 1);
  const notes = [
    `${size.toLocaleString('en')} documents of ${JSON.stringify(attributesOf(1)).length} bytes ` +
      `with ${versions} versions each.`,
    `A version takes ${short((after - before) / written)} bytes; ` +
      `the type with history ${short(after / 2 ** 20)} MiB, the other ${short(plain / 2 ** 20)}.`,
    `Updates in lists wrote ${short(written / seconds)} versions a second.`,
  ];
  const head = ['Work', 'a second, without history', 'with it', 'ratio'];
  return [machineLine([]), notes.join('\n'), markdownTable(head, [...rows, ...past])].join('\n\n');
}

async function settle(credentials: Credentials): Promise<void> {
  const data = { type: 'core.type', attributes: { name: VERSIONED, history: 'forever' } };
  await createOne(credentials, data, '/schemas/core.type');
}

async function updateAll(credentials: Credentials, ids: readonly string[], version: number): Promise<void> {
  const client = new Connections(credentials.url, LISTS);
  const headers = headersOf(credentials);
  const lists = Array.from({ length: Math.ceil(ids.length / TOGETHER) }, (_, at) =>
    ids.slice(at * TOGETHER, (at + 1) * TOGETHER),
  );
  await inParallel(lists, LISTS, async (list) => {
    const changes = list.map((id) => ({
      op: 'update',
      data: { type: VERSIONED, id, attributes: { n: version } },
    }));
    await client.exchange(atomic(headers, changes));
  });
  client.close();
}

/** Bytes of the type with history, and of the other. */
async function bytesOf({ application, operator, url }: Credentials): Promise<readonly number[]> {
  const { text } = await exchangeOnce(url, {
    method: 'GET',
    path: `/applications/core.application/${application}/types`,
    headers: { authorization: `Bearer ${operator}` },
  });
  const { meta } = JSON.parse(text) as {
    readonly meta: { readonly types: readonly { readonly name: string; readonly bytes: number }[] };
  };
  return [VERSIONED, PLAIN].map((type) => meta.types.find(({ name }) => name === type)?.bytes ?? 0);
}

function worksOf(credentials: Credentials, idsOf: ReadonlyMap<string, readonly string[]>): readonly Work[] {
  const headers = headersOf(credentials);
  let count = 0;
  const one = (type: string) => {
    const ids = idsOf.get(type) ?? [];
    // A prime step meets all documents, in no order.
    count += 1;
    return ids[(count * 7919) % ids.length] ?? '';
  };
  const get = (path: string): Exchange => ({ method: 'GET', path, headers });
  const ofType = (type: string): readonly Work[] => [
    { name: `read ${type}`, next: () => get(`/resources/${type}/${one(type)}`) },
    { name: `list ${type}`, next: () => get(`/resources/${type}?page[limit]=25&page[count]=false`) },
    {
      name: `update ${type}`,
      next: () => {
        const id = one(type);
        const data = { type, id, attributes: { n: -count } };
        const body = JSON.stringify({ data });
        return {
          method: 'PATCH',
          path: `/resources/${type}/${id}`,
          headers: { ...headers, 'content-type': MEDIA_TYPE },
          body,
        };
      },
    },
    { name: `create ${type}`, next: () => creation(headers, { type, attributes: attributesOf(-1) }) },
  ];
  const [plain, versioned] = [ofType(PLAIN), ofType(VERSIONED)];
  const now = () => new Date().toISOString();
  return [
    ...plain.flatMap((work, at) => [work, ...versioned.slice(at, at + 1)]),
    { name: 'the list of versions', next: () => get(`/resources/${VERSIONED}/${one(VERSIONED)}/versions`) },
    { name: 'a version', next: () => get(`/resources/${VERSIONED}/${one(VERSIONED)}/versions/1`) },
    {
      name: 'a document at a moment',
      next: () => get(`/resources/${VERSIONED}/${one(VERSIONED)}?at=${now()}`),
    },
  ];
}
