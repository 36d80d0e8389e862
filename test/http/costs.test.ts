/**
 * The list "What an operation costs" of docs/performance.md, line by line: calls of Durable Objects, reads and writes
 * of KV, rows written, and what a million of it costs. It has its own service: other requests would be counted too.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { counts, to, type Reply } from '../support/client.ts';
import { until } from '../support/started.ts';
import { ACL, EVERY_METHOD, logIn, makeUser, may, PASSWORD, tokenOf } from '../support/people.ts';
import { counted } from '../support/own-service.ts';
import { newService } from '../support/scope.ts';

/** Does something, and waits for the copies in KV that come after it. */
async function copied<T>(copies: number, work: () => Promise<T>): Promise<T> {
  const before = (await counts(service.url)).writes;
  const result = await work();
  await until('the copies are written', async () => (await counts(service.url)).writes >= before + copies);
  return result;
}

const change = (members: object) => ({ data: { type: 'articles', id: path.slice(-24), ...members } });
const create = (type: string, members: object = {}) => client.create(`/resources/${type}`, members);
const asAda = (target: string) => secured.get(target, ada.headers);
const makeKey = (permissions: unknown = []) =>
  client.create('/api-keys/core.api-key', { attributes: { name: 'a key', permissions } });

/** An operation, made ready: what it gives back is what is counted. */
type Operation = () => Operated | Promise<Operated>;
type Operated = () => Promise<Reply>;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'Read a document': () => () => client.get(path),
  'Read a document, unchanged (304)': () => () => client.get(path, { 'if-none-match': '*' }),
  'Read a document with a user token': async () => {
    const { body } = await secured.create('/resources/notes', {}, ada.headers);
    return () => asAda(`/resources/notes/${body.data.id}`);
  },
  'Read a document with a counter': async () => {
    const count = { fans: { type: 'people', by: 'idol' } };
    await client.create('/schemas/core.type', { attributes: { name: 'idols', count } });
    const { body } = await create('idols');
    const read = () => client.get(`/resources/idols/${body.data.id}`);
    // The first one gathers what relationships link to.
    await read();
    return read;
  },
  'List documents': () => () => client.get('/resources/articles?filter[a]={"$gt":1}&sort=-a'),
  'List documents by a field of an attribute': async () => {
    const list = () => client.get('/resources/articles?filter[a.b]=1');
    // The first one teaches an index.
    await list();
    return list;
  },
  'List documents by a field of a linked document': () => () =>
    client.get('/resources/articles?filter[author.name]=1'),
  'List documents by a counter': () => () => client.get('/resources/idols?sort=-fans'),
  'List documents with a user token': async () => {
    // The session of the user has it in memory for some seconds.
    await asAda('/resources/notes');
    return () => asAda('/resources/articles');
  },
  'List types, counting nothing': () => () => client.get('/resources?page[count]=false'),
  'Include one type': () => () => client.get(`${path}?include=author,people`),
  'Include two types, one of them on two levels': () => () =>
    client.get(`${path}?include=author,about.mayor`),
  'Read a relationship': () => () => client.get(`${path}/relationships/people`),
  'Read related documents of one type': () => () => client.get(`${path}/people`),
  'Create a document': () => () => create('articles'),
  'Create a document with a user token': () => () => secured.create('/resources/notes', {}, ada.headers),
  'Create a document with links to one type': () => () =>
    create('articles', { relationships: { x: to(a), y: to(b) } }),
  'Create the first document of a type': () => () => create('firsts'),
  'Change a document': () => () => client.patch(path, change({ attributes: { a: 1 } })),
  'Add a link': () => () => client.post(`${path}/relationships/people`, { data: [to(b).data] }),
  'Delete a document': async () => {
    const { body } = await create('articles');
    return () => client.delete(`/resources/articles/${body.data.id}`);
  },
  'Log in': () => () => logIn(client, 'ada', PASSWORD),
  'Log out': async () => {
    const headers = tokenOf(await logIn(client, 'ada', PASSWORD));
    // A collection without documents that has left memory would ask the registry.
    await client.get('/users/core.user-group');
    return () => client.delete('/users/core.user.token/me', undefined, headers);
  },
  'Create an API key': () => () => makeKey(),
  'Change an API key': async () => {
    const { id } = (await copied(1, () => makeKey())).body.data;
    return () => client.update(`/api-keys/core.api-key/${id}`, { attributes: { name: 'another' } });
  },
  'First use of an API key in an isolate': async () => {
    const fresh = await copied(2, () => service.newClient());
    return () => fresh.get('/nothing');
  },
  'Create with history': async () => {
    await client.create('/schemas/core.type', { attributes: { name: 'pages', history: 'forever' } });
    // The first one makes the tables.
    await create('pages');
    return () => create('pages');
  },
  'Change with history': () => onPage((at, data) => client.patch(at, { data })),
  'Delete with history': () => onPage((at) => client.delete(at)),
  'A request that is refused for its key, path, method, body or query': () => () =>
    client.get('/resources/articles?x=1'),
};

/** Does something to a new document of the type with history. */
async function onPage(operate: (at: string, data: object) => Promise<Reply>): Promise<Operated> {
  const { id } = (await create('pages')).body.data;
  return () => operate(`/resources/pages/${id}`, { type: 'pages', id, attributes: { a: 1 } });
}

/** Rows that the application's collections have written so far. */
async function rowsWritten(): Promise<number> {
  const path = `/${client.application}/usage`;
  const { meta } = (await service.operator.ask('GET', path)) as {
    readonly meta: { readonly types: readonly { readonly 'rows-written': number }[] };
  };
  return meta.types.reduce((sum, each) => sum + each['rows-written'], 0);
}

/** Cloudflare's prices of a million, in dollars: of requests, calls, reads and writes of KV, and rows written. */
const PRICES = { requests: 0.3, calls: 0.15, lookups: 0.5, writes: 5, rows: 1 };

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8');
const ROWS = Array.from(
  PAGE.matchAll(/^- (.+): (.*)\$([\d.]+)$/gm),
  ([, name = '', counted = '', price]) => ({
    name,
    calls: numberIn(counted, 'calls?'),
    lookups: numberIn(counted, 'KV reads?'),
    writes: numberIn(counted, 'KV writes?'),
    rows: numberIn(counted, 'rows?'),
    price: Number(price),
  }),
);

const service = await newService(counted());
const { client } = service;
await until('the copies of it and its key are written', async () => (await counts(service.url)).writes >= 2);
/** The same application with a key under ACL, and a user. */
const secured = await copied(1, () => client.withPermissions([may(EVERY_METHOD, '.*', ACL)]));
const ada = await makeUser(client, 'ada');
const [a, b] = [await client.make('people', { name: 1 }), await client.make('people')];
const c = await client.make('cities', undefined, { mayor: to(b) });
const article = await client.make('articles', undefined, {
  author: to(a),
  people: { data: [to(a).data, to(b).data] },
  about: to(c),
});
const path = `/resources/articles/${article.id}`;
// A key is looked up at its first use.
await secured.get('/nothing');

test('every operation counted here has its line', () => {
  expect(ROWS.map(({ name }) => name)).toEqual(Object.keys(OPERATIONS));
});

test.each(ROWS)('$name', async ({ name, calls, lookups, writes, rows, price }) => {
  const operate = await OPERATIONS[name]?.();
  const written = await rowsWritten();
  const before = await counts(service.url);
  // Copies come after the answer.
  await copied(writes, async () => operate?.());
  const after = await counts(service.url);
  expect({
    calls: after.calls - before.calls,
    lookups: after.lookups - before.lookups,
    writes: after.writes - before.writes,
    rows: (await rowsWritten()) - written,
  }).toEqual({ calls, lookups, writes, rows });
  const costs = { requests: 1, calls, lookups, writes, rows };
  const sum = Object.entries(PRICES).reduce(
    (all, [what, each]) => all + each * costs[what as keyof typeof costs],
    0,
  );
  expect(price).toBeCloseTo(sum, 2);
});

test('a member of a channel comes at the same rows, however many messages he reads by it', async () => {
  for (const [name, of] of [
    ['channels', '$members'],
    ['messages', '$channel'],
  ])
    await client.create('/schemas/core.type', { attributes: { name, rights: { read: [of] } } });
  const rows: number[] = [];
  for (const messages of [1, 200]) {
    const channel = await client.make('channels');
    for (let n = 0; n < messages; n += 1) await client.make('messages', {}, { channel: to(channel) });
    expect((await asAda('/resources/messages?page[limit]=1')).body.meta.count).toBe(rows.length);
    const before = await rowsWritten();
    const at = `/resources/channels/${channel.id}/relationships/members`;
    expect((await client.post(at, { data: [ada.link] })).status).toBe(200);
    rows.push((await rowsWritten()) - before);
    await until('he reads them', async () => {
      const { meta } = (await asAda('/resources/messages?page[limit]=1')).body;
      return meta.count === messages + rows.length - 1;
    });
  }
  expect(rows[0]).toBe(rows[1]);
});

/** How many of something a line tells; what it does not tell is none. */
function numberIn(line: string, what: string): number {
  return Number(new RegExp(`(\\d+) ${what},`).exec(line)?.[1] ?? 0);
}
