/** `Prefer: explain` (docs/requests.md): what has decided a request, for keys without ACL. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID, type Reply } from '../support/client.ts';
import { add, operate, operateWith, remove } from '../support/operations.ts';
import { ACL, EVERY_METHOD, grant, makeUser, may, underAcl } from '../support/people.ts';
import { makeSchema, settle } from '../support/type-settings.ts';

const EXPLAIN = { prefer: 'explain' };

/** What a question says in short: by whom, and each path with its permission, rules, and what the others lack. */
function told(reply: Reply): unknown {
  const { meta, errors } = reply.body as {
    readonly meta?: Told;
    readonly errors?: readonly { readonly meta?: Told }[];
  };
  expect(reply.headers.get('preference-applied')).toBe('explain');
  expect(reply.headers.get('vary')).toMatch(/, Prefer$/);
  const { by, paths } = (meta ?? errors?.[0]?.meta ?? {}).explained ?? { by: '-', paths: [] };
  return [reply.status, by, ...paths.flatMap(({ permission, rules }) => [permission, rules.join()])];
}

interface Told {
  readonly explained?: {
    readonly by: string | null;
    readonly user: unknown;
    readonly paths: readonly { readonly permission: number | null; readonly rules: readonly string[] }[];
  };
}

const post = (type: string, attributes: object) => () =>
  client.create(`/resources/${type}`, { attributes }, EXPLAIN);
const get =
  (path: () => string, headers = {}) =>
  () =>
    client.get(path(), { ...EXPLAIN, ...headers });
const patch = (id: () => string, attributes: object) => () =>
  client.update(`/resources/notes/${id()}`, { attributes }, EXPLAIN);

const RULES = 'where,check,fields';

const deletion = async () => {
  const { id } = await trusted.make('notes', { state: 'open' });
  return client.delete(`/resources/notes/${id}`, undefined, EXPLAIN);
};
const patchIfMatch = async () => {
  const { id } = await trusted.make('notes', { state: 'open' });
  const path = `/resources/notes/${id}`;
  const etag = (await trusted.get(path)).headers.get('etag') ?? '';
  const body = { data: { type: 'notes', id, attributes: { state: 'new' } } };
  return client.patch(path, body, { ...EXPLAIN, 'if-match': etag });
};

const trusted = await Client.create('explain');
const ada = await makeUser(trusted, 'ada');
/** Documents that the rules show, hide, and show to their owner. */
const open = (await trusted.make('notes', { state: 'open' })).id;
const hidden = (await trusted.make('notes', { state: 'secret' })).id;
const of = (await trusted.make('diaries', { owner: ada.link.id })).id;
await settle(trusted, { name: 'wallets', checks: [{ name: 'covered', filter: { balance: { $gte: 0 } } }] });
await makeSchema(trusted, 'people', { attributes: { required: ['name'] } });
const client = await trusted.withPermissions([
  may('post', '/resources/wallets'),
  may(EVERY_METHOD, '/resources/notes(/.*)?', {
    where: { state: { $ne: 'secret' } },
    check: { state: { $ne: 'closed' } },
    fields: { write: ['state'] },
  }),
  may('get', '/resources/diaries/.*', { where: { owner: '$$viewer.id' } }),
  may('post', '/resources/people'),
  { path: String.raw`/users/core\.user/me`, methods: ['get'] },
  {
    path: String.raw`/users/core\.user/[0-9a-f]{24}`,
    methods: ['get', 'post'],
    fields: { read: ['username'] },
  },
  may('post', '/operations'),
]);

test.each<readonly [sentence: string, ask: () => Promise<Reply>, answer: readonly unknown[]]>([
  ['a permission admits', post('wallets', { balance: 1 }), [201, 'key', 0, '']],
  ['a permission with rules admits', get(() => `/resources/notes/${open}`), [200, 'key', 1, RULES]],
  ['so it does a list', get(() => '/resources/notes'), [200, 'key', 1, RULES]],
  ['no permission admits', get(() => '/resources/wallets'), [403, 'key', null, '']],
  ['the rule where hides', get(() => `/resources/notes/${hidden}`), [403, 'key', 1, RULES]],
  ['as it does what never was', get(() => `/resources/notes/${NO_ID}`), [403, 'key', 1, RULES]],
  ['the rule check refuses', patch(() => open, { state: 'closed' }), [403, 'key', 1, RULES]],
  ['the rule of fields refuses', patch(() => open, { other: 1 }), [403, 'key', 1, RULES]],
  ['a change that holds is shown with what admitted it', patchIfMatch, [200, 'key', 1, RULES]],
  ['so is a deletion', deletion, [200, 'key', 1, RULES]],
  [
    'the rule where keeps from deleting',
    () => client.delete(`/resources/notes/${hidden}`, undefined, EXPLAIN),
    [403, 'key', 1, RULES],
  ],
  ['a check of the type refuses', post('wallets', { balance: -1 }), [403, 'check', 0, '']],
  ['a schema refuses', post('people', { other: 1 }), [422, 'schema', 3, '']],
  ['what no rule decides is by none', post('people', { 'a.b': 1 }), [422, null, 3, '']],
  ['a token is missing', get(() => '/users/core.user/me'), [401, 'key', 4, '']],
  [
    'me stands for a path of its own',
    () => client.get('/users/core.user/me', { ...EXPLAIN, ...ada.headers }),
    [200, 'key', 4, '', 5, 'fields'],
  ],
])('%s', async (_, ask, answer) => {
  expect(told(await ask())).toEqual(answer);
});

test('the user is told whom rules are about, and what keeps permissions from admitting', async () => {
  const ask = (headers: Readonly<Record<string, string>>) =>
    client.get(`/resources/diaries/${of}`, { ...EXPLAIN, ...headers });
  const { body } = await ask(ada.headers);
  const path = `/resources/diaries/${of}`;
  const passed = ['method', 'path'];
  expect(body.meta['explained']).toEqual({
    by: 'key',
    user: ada.link,
    paths: [{ path, permission: 2, rules: ['where'], passed }],
  });
  const refusal = await ask({});
  expect(refusal.body.errors[0]?.meta?.['explained']).toMatchObject({ by: 'key', user: null });
});

describe('each operation of a list is decided by itself', () => {
  const removal = (id: string) => remove({ type: 'notes', id });
  const send = (operations: readonly unknown[], more = {}) =>
    operateWith(client, { 'atomic:operations': operations, ...more }, EXPLAIN);
  const fresh = async () => (await trusted.make('notes', { state: 'open' })).id;

  test.each<
    readonly [sentence: string, operations: () => readonly object[], answer: readonly unknown[], path: string]
  >([
    [
      'a check of a type refuses it',
      () => [add('notes', { state: 'open' }), add('wallets', { balance: -1 })],
      [403, 'check', 0, ''],
      '/resources/wallets',
    ],
    [
      'a rule of the key refuses it',
      () => [add('wallets', { balance: 1 }), add('notes', { other: 1 })],
      [403, 'key', 1, RULES],
      '/resources/notes',
    ],
    [
      'no permission admits it',
      () => [add('wallets', { balance: 1 }), add('diaries', {})],
      [403, 'key', null, ''],
      '/resources/diaries',
    ],
  ])('where %s', async (_, operations, answer, path) => {
    const reply = await send(operations());
    expect(told(reply)).toEqual(answer);
    expect(reply.body.errors[0]?.meta?.['explained']).toMatchObject({ paths: [{ path }] });
  });

  test('where it was done, and where all were removals', async () => {
    const gone = await fresh();
    const { status, results } = await send([add('wallets', { balance: 1 }), removal(gone)]);
    const byEach = results.map(({ meta }) => (meta as Told | undefined)?.explained?.paths);
    expect([status, byEach]).toEqual([
      200,
      [
        [{ path: '/resources/wallets', permission: 0, rules: [], passed: [] }],
        [{ path: `/resources/notes/${gone}`, permission: 1, rules: RULES.split(','), passed: ['method'] }],
      ],
    ]);
    expect(told(await send([removal(await fresh())]))).toEqual([200, 'key', 6, '']);
  });

  test('where the list goes on after a failure', async () => {
    const { results } = await send([add('wallets', { balance: -1 }), add('wallets', { balance: 1 })], {
      meta: { atomic: false },
    });
    expect(results).toMatchObject([
      { meta: { errors: [{ meta: { check: 'covered', explained: { by: 'check' } } }] } },
      { meta: { explained: { by: 'key', paths: [{ path: '/resources/wallets', permission: 0 }] } } },
    ]);
  });
});

test('the refusal of a check keeps what it tells besides', async () => {
  const [error] = (await post('wallets', { balance: -1 })()).body.errors;
  expect(error?.meta).toMatchObject({ check: 'covered', pointer: '/checks/0/filter/balance' });
});

test('who knows the answer is told what decided it all the same', async () => {
  const path = `/resources/notes/${open}`;
  const known = { 'if-none-match': (await trusted.get(path)).headers.get('etag') ?? '' };
  expect((await trusted.get(path, known)).status).toBe(304);
  const { body, status } = await trusted.get(path, { ...EXPLAIN, ...known });
  expect([status, body.meta['explained']]).toEqual([200, expect.objectContaining({ by: 'key' })]);
});

test('an answer without a body does not follow the preference', async () => {
  const answer = await client.update(
    `/resources/notes/${open}`,
    { attributes: { state: 'new' } },
    { prefer: 'explain, return=minimal' },
  );
  expect([answer.status, answer.headers.get('preference-applied')]).toEqual([204, 'return=minimal']);
});

describe('under a key with ACL nothing is told', () => {
  let users: Client;
  let mixed: Client;
  beforeAll(async () => {
    users = await underAcl(trusted);
    mixed = await trusted.withPermissions([
      may('get', '/resources/notes(/.*)?'),
      may(EVERY_METHOD, '/.*', ACL),
    ]);
    await grant(trusted, `/resources/diaries/${of}`, { read: [ada.link] });
  });

  test.each<
    readonly [
      sentence: string,
      ask: (headers: Readonly<Record<string, string>>) => Promise<Reply>,
      status: number,
    ]
  >([
    [
      'what is shown',
      (headers) => users.get(`/resources/diaries/${of}`, { ...ada.headers, ...headers }),
      200,
    ],
    ['no right', (headers) => users.get(`/resources/notes/${open}`, { ...ada.headers, ...headers }), 403],
    ['no token', (headers) => users.get(`/resources/notes/${open}`, headers), 401],
    [
      'a list that only tests',
      (headers) =>
        operate(users, [{ op: 'test', ref: { type: 'diaries', id: of } }], { ...ada.headers, ...headers }),
      204,
    ],
    ['a permission without ACL', (headers) => mixed.get(`/resources/notes/${hidden}`, headers), 200],
  ])('%s', async (_, ask, status) => {
    const [plain, asked] = [await ask({}), await ask(EXPLAIN)];
    expect([asked.status, asked.text]).toEqual([status, plain.text]);
    expect(asked.headers.get('preference-applied')).toBeNull();
  });
});
