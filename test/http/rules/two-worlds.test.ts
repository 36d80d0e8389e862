/**
 * Two applications that differ only in what a user may not see, by rights through links, rules over links, checks and
 * computed fields. Every answer to the user in one must be the answer in the other; whoever sees all finds that
 * they differ.
 */
import { expect, test } from 'vitest';
import { ATOMIC_MEDIA_TYPE, Client, type Options, type Reply } from '../../support/client.ts';
import { isLong } from '../../support/long.ts';
import { makeUser, may, underAcl, type Person } from '../../support/people.ts';
import { settle } from '../../support/type-settings.ts';

interface World {
  readonly trusted: Client;
  /** Whose requests are under rights alone, and under a rule over links beside them. */
  readonly keys: readonly [Client, Client];
  readonly eve: Person;
}

/** Ids that both worlds have. */
const idOf = (n: number) => n.toString(16).padStart(24, 'a');
const link = (type: string, n: number) => ({ data: { type, id: idOf(n) } });
const CHANNELS = [1, 2, 3, 4];
const TOPICS = [11, 12];
const MESSAGES = Array.from({ length: 16 }, (_, n) => n + 20);
/** Whoever is no member of these reads nothing there. */
const PRIVATE = [2, 4];
const isPrivate = (message: number) => PRIVATE.includes((message % 4) + 1);

const AGGREGATES: readonly (readonly [name: string, pipeline: readonly object[]])[] = [
  ['days', [{ group: { id: '$text', days: { $sum: '$day' }, all: { $sum: 1 } } }, { sort: 'id' }]],
  ['first', [{ sort: '-day' }, { limit: 3 }, { project: { day: 1, channel: 1 } }]],
  ['answers', [{ filter: { 'answers.day': { $gt: 0 } } }, { group: { n: { $sum: '$n' } } }]],
];

async function makeWorld(side: 0 | 1): Promise<World> {
  const trusted = await Client.create();
  const eve = await makeUser(trusted, 'eve');
  const ada = await makeUser(trusted, 'ada');
  const settings: readonly Record<string, unknown>[] = [
    { name: 'topics', rights: { read: ['*'] } },
    { name: 'channels', rights: { read: ['$members'] } },
    {
      name: 'messages',
      rights: {
        read: ['$channel'],
        update: ['$channel.read'],
        delete: ['$channel.read'],
        create: ['$channel.read'],
      },
      set: { topic: '$channel.topic.name', n: { $add: [{ $ifNull: ['$$before.n', 0] }, 1] } },
      history: 'forever',
      checks: [{ name: 'open', filter: { 'channel.topic.closed': { $ne: true } } }],
    },
  ];
  for (const each of settings) {
    expect((await settle(trusted, { ...each, 'client-ids': true })).status).toBe(201);
  }
  const make = async (type: string, n: number, attributes: object, relationships: object) => {
    const data = { type, id: idOf(n), attributes, relationships };
    expect((await trusted.post(`/resources/${type}`, { data })).status).toBe(201);
  };
  const hidden = (one: unknown, other: unknown) => (side === 0 ? one : other);
  for (const n of TOPICS) await make('topics', n, { name: `t${n}`, closed: n === 12 }, {});
  for (const n of CHANNELS) {
    const own = PRIVATE.includes(n);
    await make(
      'channels',
      n,
      own ? { name: hidden(`a${n}`, `b${9 - n}`), size: hidden(n, 9) } : { name: `c${n}`, size: n },
      {
        topic: link('topics', own ? Number(hidden(11, 12)) : n === 3 ? 12 : 11),
        members: { data: [(own ? ada : eve).link] },
      },
    );
  }
  // Messages are older than the checks would let them be.
  const { body } = await trusted.get('/schemas/core.type?filter[name]=messages');
  const at = `/schemas/core.type/${body.data[0]?.id}`;
  const checks = body.data[0]?.attributes?.['checks'];
  const change = (attributes: object) =>
    trusted.patch(at, { data: { type: 'core.type', id: body.data[0]?.id, attributes } });
  await change({ checks: null });
  for (const n of MESSAGES) {
    const text = isPrivate(n) ? hidden(`plan ${n}`, `nothing`) : `hello ${n % 3}`;
    const answers = link('messages', isPrivate(n) ? Number(hidden(20, 21)) : 20 + (n % 8));
    await make(
      'messages',
      n,
      { text, day: isPrivate(n) ? hidden(n, -n) : n },
      {
        channel: link('channels', (n % 4) + 1),
        ...(n > 28 && { answers }),
      },
    );
  }
  expect((await change({ checks })).status).toBe(200);
  for (const [name, pipeline] of AGGREGATES) {
    const data = {
      type: 'core.aggregate',
      attributes: { 'input-type': 'messages', 'output-type': `agt.${name}`, pipeline },
    };
    expect((await trusted.post('/aggregates/core.aggregate', { data })).status).toBe(201);
  }
  const where = { 'channel.topic.closed': { $ne: true } };
  const ruled = may('get post patch delete bulk', '/.*', { acl: { active: true }, where });
  return { trusted, keys: [await underAcl(trusted), await trusted.withPermissions([ruled])], eve };
}

const worlds: readonly [World, World] = [await makeWorld(0), await makeWorld(1)];

/** Numbers that look random, the same in every run. */
function dice(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return { next, of: <T>(all: readonly [T, ...T[]]): T => all[next(all.length)] ?? all[0] };
}

/** Stands for the mark of the last answer of a feed. */
const MARK = 'MARK';
const marks = new WeakMap<Client, string>();
/** The tag of the last answer under each key, at each path. */
const tags = new WeakMap<Client, Map<string, string>>();

type Asked = readonly [method: string, path: string, body?: object];

/** A request that may be one of an attacker. */
function requestOf(seed: number): Asked {
  const { next, of } = dice(seed);
  const value = () =>
    of<unknown>([next(40), `a${next(5)}`, 'nothing', 'hello 1', `t1${1 + next(2)}`, true, null]);
  const path = () =>
    of([
      'text',
      'day',
      'n',
      'topic',
      'channel.name',
      'channel.size',
      'channel.topic.name',
      'answers.text',
      'answers.day',
    ] as const);
  const leaf = () => ({
    [path()]: of<unknown>([
      value(),
      { $ne: value() },
      { $gt: next(40) - 20 },
      { $exists: next(2) === 0 },
      { $in: [value(), value()] },
      { $regex: of(['plan', '^a', 'o', '2$'] as const) },
    ]),
  });
  const condition = () =>
    of<object>([leaf(), { $nor: [leaf()] }, { $or: [leaf(), leaf()] }, { $and: [leaf(), leaf()] }]);
  const filter = () => `filter[*]=${encodeURIComponent(JSON.stringify(condition()))}`;
  const message = 20 + next(18);
  const at = `/resources/messages/${idOf(message)}`;
  const write = () => ({
    type: 'messages',
    attributes: { text: `hello ${next(3)}` },
    ...(next(4) > 0 && { relationships: { channel: link('channels', of([1, 1, 1, 2, 3, 4, 5])) } }),
  });
  const made = 1_000 + next(60);
  const version = 1 + next(4);
  const words = () =>
    of(['plan', 'nothing', 'hello', 'hello plan', '"hello 1"', 'plan -nothing', '21'] as const);
  const text = () => encodeURIComponent(JSON.stringify({ $text: { $search: words() } }));
  const operation = (): object =>
    of<object>([
      { op: 'update', data: { ...write(), id: idOf(message) } },
      { op: 'add', data: { ...write(), id: idOf(1_000 + next(60)) } },
      { op: 'remove', ref: { type: 'messages', id: idOf(20 + next(18)) } },
    ]);
  return of<Asked>([
    ['GET', `/resources/messages?${filter()}&page[limit]=${1 + next(20)}`],
    [
      'GET',
      `/resources/messages?${filter()}&sort=${of(['', '-'] as const)}${of(['text', 'day', 'n'] as const)}`,
    ],
    [
      'GET',
      `/resources/messages?include=${of(['channel', 'answers', 'channel.topic', 'answers.channel'] as const)}`,
    ],
    ['GET', `/resources/channels?${filter()}`],
    ['GET', `/resources/messages/changes?${filter()}`],
    ['GET', '/resources/messages/changes'],
    ['GET', `/resources/messages/changes?changes[since]=${MARK}`],
    ['GET', `/resources/messages/changes?changes[since]=${MARK}`],
    ['GET', `${at}?include=channel`],
    ['GET', `${at}/${of(['channel', 'answers', 'relationships/channel', 'relationships/answers'] as const)}`],
    ['GET', `/resources/channels/${idOf(1 + next(5))}`],
    ['GET', `/resources/messages.acl/${idOf(message)}`],
    ['PATCH', at, { data: { ...write(), id: idOf(message) } }],
    ['PATCH', `${at}/relationships/answers`, link('messages', 20 + next(18))],
    ['POST', '/resources/messages', { data: { ...write(), id: idOf(made) } }],
    ['DELETE', at],
    ['GET', `/resources/messages?filter[*]=${text()}&sort=-$score`],
    ['GET', `/resources/messages?filter[*]=${text()}&fields[messages]=$score,text`],
    ['GET', `/resources/messages?${filter()}&page[offset]=${next(5)}&page[limit]=2`],
    ['GET', '/resources'],
    ['GET', `/resources/channels?include=${of(['messages', '$messages.channel', 'topic'] as const)}`],
    ['GET', `${at}/versions`],
    ['GET', `${at}/versions/${version}`],
    ['GET', `${at}?at=${of(['2026-01-01T00:00:00Z', '2999-01-01T00:00:00Z'] as const)}`],
    ['GET', '/resources/messages?deleted=true'],
    ['POST', `${at}/versions/${version}/restore`],
    ['GET', `/aggregates/agt.${of(['days', 'first', 'answers'] as const)}`],
    ['GET', `/aggregates/agt.days?${filter()}`],
    [
      'PATCH',
      `/resources/messages?${filter()}`,
      { meta: { limit: 1 + next(9) }, data: { type: 'messages', attributes: { text: `hello ${next(3)}` } } },
    ],
    ['DELETE', `/resources/messages?${filter()}`, { meta: { limit: 1 + next(2) } }],
    ['POST', '/operations', { 'atomic:operations': Array.from({ length: 1 + next(3) }, operation) }],
  ]);
}

async function told(
  { eve }: World,
  client: Client,
  [method, path, body]: Asked,
  options: Options = {},
  isAgain = false,
) {
  const since = path.replace(MARK, encodeURIComponent(marks.get(client) ?? 'now'));
  const known = tags.get(client) ?? new Map<string, string>();
  tags.set(client, known);
  const tag = isAgain ? known.get(path) : undefined;
  const headers = {
    ...options.headers,
    ...(path === '/operations' && { 'content-type': ATOMIC_MEDIA_TYPE }),
    ...(tag !== undefined && { 'if-none-match': tag }),
  };
  const reply: Reply = await client.send(method, since, {
    ...options,
    headers,
    ...(body !== undefined && { body }),
  });
  if (method === 'GET' && reply.etag !== '') known.set(path, reply.etag);
  const mark = path.includes('changes') && reply.status === 200 ? reply.body.meta['mark'] : undefined;
  if (typeof mark === 'string' && !path.includes('filter')) marks.set(client, mark);
  // Cursors and marks are sealed: no two are alike.
  const text = reply.text
    .replaceAll(eve.link.id, 'EVE')
    .replaceAll(/(after%5D=|since%5D=)[^&"]+/g, '$1…')
    .replaceAll(/"(etag|next|self|mark)":"(?:[^"\\]|\\.)*"/g, '"$1":…')
    .replaceAll(/"at":"2[^"]*"/g, '"at":…')
    .replaceAll(/"transactions":\{[^}]*\}/g, '"transactions":…');
  return { status: reply.status, text, type: reply.headers.get('content-type') };
}

/** Writes something that the user may not see, in one world alone. There no check refuses it. */
async function writeHidden(seed: number): Promise<void> {
  const { next, of } = dice(seed);
  const side = next(2);
  const [type, n] = side === 1 ? ['channels', of([2, 4])] : ['messages', of([21, 23, 25, 27])];
  const attributes = type === 'channels' ? { size: next(40) } : { text: `plan ${next(9)}`, day: next(40) };
  const data = { type, id: idOf(n), attributes };
  const { status } = await worlds[side === 1 ? 1 : 0].trusted.patch(`/resources/${type}/${idOf(n)}`, {
    data,
  });
  expect(status).toBe(200);
}

test(
  'to the user both are the same',
  async () => {
    const pairs = isLong('whole') ? 10_000 : 400;
    const statuses = new Map<number, number>();
    let differ = 0;
    for (let at = 0; at < pairs; at += 1) {
      const request = requestOf(at * 7 + 1);
      const key = at % 2;
      if (at % 5 === 0) await writeHidden(at * 7_919_777);
      const [one, other] = await Promise.all(
        worlds.map((world) =>
          told(
            world,
            world.keys[key] ?? world.trusted,
            request,
            { headers: world.eve.headers },
            request[0] === 'GET' && at % 3 === 0,
          ),
        ),
      );
      expect([request, one]).toEqual([request, other]);
      statuses.set(one?.status ?? 0, (statuses.get(one?.status ?? 0) ?? 0) + 1);
      if (request[0] !== 'GET' || at % 8 !== 0) continue;
      const [all, others] = await Promise.all(worlds.map((world) => told(world, world.trusted, request)));
      if (all?.text !== others?.text) differ += 1;
    }
    for (const status of [200, 201, 304, 403]) expect(statuses.get(status) ?? 0).toBeGreaterThan(pairs / 300);
    expect(differ).toBeGreaterThan(pairs / 50);
  },
  isLong('whole') ? 900_000 : 240_000,
);
