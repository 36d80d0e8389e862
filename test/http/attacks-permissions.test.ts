/** Attacks by permission: patterns that would stall the service, match too much, or ask for more than a key may. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { STALLING_PATTERNS, stallingPath } from '../support/stalling-patterns.ts';

let client: Client;
/** Somebody else, who is to be served meanwhile. */
let bystander: Client;
beforeAll(async () => {
  [client, bystander] = await Promise.all([Client.create(), Client.create()]);
  await client.make('notes');
});

const make = (paths: readonly string[]) =>
  client.post('/api-keys/core.api-key', {
    data: {
      type: 'core.api-key',
      attributes: { name: 'a key', permissions: paths.map((path) => ({ path, methods: ['get'] })) },
    },
  });

/** What the attack was answered; a bystander is served meanwhile. The work it may cost: test/unit/permission-work.test.ts. */
async function withBystander<T>(attack: () => Promise<T>): Promise<T> {
  const pending = attack();
  expect((await bystander.get('/resources/things')).status).toBe(200);
  return pending;
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const letters = stallingPath(900);

describe('a pattern that would stall a backtracking engine runs in time', () => {
  test.each(STALLING_PATTERNS)('%s', async (pattern) => {
    const made = await make([pattern]);
    expect(made.status).toBe(201);
    const attacker = new Client(
      client.url,
      client.application,
      String(made.body.data.attributes?.['secure-id']),
    );
    const answer = await withBystander(() => attacker.get(letters));
    expect(faultsOf(answer)).toEqual(['403 forbidden api-key:']);
  });
});

describe('many patterns together', () => {
  test('that are too large are refused', async () => {
    const paths = numbers(1000).map((n) => `/resources/[ab]*a[ab]{${1 + (n % 980)}}`);
    const answer = await withBystander(() => make(paths));
    const [fault, ...others] = faultsOf(answer);
    expect(fault).toMatch(/^422 invalid-attribute \/data\/attributes\/permissions\/4\d\d\/path$/);
    expect(others).toEqual([]);
  });

  test('that are just not too large can not hold up others: what takes too much work is not permitted', async () => {
    const paths = numbers(190).map((n) => `/resources/[ab]*a[ab]{${400 + n / 2}}`.replace('.5', ''));
    const made = await make([...paths, '/resources/.*']);
    const attacker = new Client(
      client.url,
      client.application,
      String(made.body.data.attributes?.['secure-id']),
    );
    const target = () =>
      `/resources/${numbers(1900)
        .map(() => 'ab'.charAt(Math.random() * 2))
        .join('')}c`;
    const answer = await withBystander(() => attacker.get(target()));
    expect(faultsOf(answer)).toEqual(['403 forbidden api-key:']);
    expect((await attacker.get('/resources/notes')).status).toBe(200);
  });

  test('of the honest kind are fine: a thousand of them, with all that leads on', async () => {
    const paths = numbers(999).map(
      (n) => `/resources/type-${n}(/[0-9a-f]{24}(/relationships/[a-z]+|/[a-z]+)?)?`,
    );
    const made = await make([...paths, '/resources/notes(/[0-9a-f]{24})?']);
    expect(made.status).toBe(201);
    const honest = new Client(
      client.url,
      client.application,
      String(made.body.data.attributes?.['secure-id']),
    );
    expect((await honest.get('/resources/notes')).body.meta.count).toBe(1);
    expect((await honest.get('/resources/other')).status).toBe(403);
  });
});

describe('a pattern permits what it matches as a whole, and no more', () => {
  test.each([
    ['/resources/notes$|^/users/core.user', '/resources/notes/x', 403],
    ['/resources/notes|', '/resources/other', 403],
    ['', '/', 200],
    ['', '/resources/notes', 403],
    ['/resources/notes\\n', '/resources/notes', 403],
    ['(?m)^/resources/notes$', '/resources/notes%0A/resources/other', 403],
    ['/resources/notes$', '/resources/notes%0A', 403],
    ['(?i)/RESOURCES/NOTES', '/resources/notes', 200],
    ['(?s).*', '/resources/notes', 200],
    ['/resources/[^/]*', '/resources/notes%2fx', 404],
    ['/resources/\\w+', '/resources/n%C3%B6tes', 403],
    ['\\Q/resources/notes\\E', '/resources/notes', 200],
    ['/resources/notes\\E', '/resources/notes', 200],
    ['.', '/resources/notes', 403],
  ])('%s for %s: %i', async (pattern, path, status) => {
    const made = await make([pattern]);
    const other = new Client(
      client.url,
      client.application,
      String(made.body.data.attributes?.['secure-id']),
    );
    expect([made.status, (await other.get(path)).status]).toEqual([201, status]);
  });

  test.each([
    '[',
    '(',
    '*',
    '\\p{No such}',
    'a(?C1)',
    '\\1',
    '(?<=a+)b',
    'a{65536}',
    'x'.repeat(1001),
    '('.repeat(500) + ')'.repeat(500),
  ])('what means nothing or is too large is refused: %s', async (pattern) => {
    expect(faultsOf(await make([pattern]))).toEqual([
      '422 invalid-attribute /data/attributes/permissions/0/path',
    ]);
  });
});

test('after all of this both are served', async () => {
  expect((await client.get('/resources/notes')).body.meta.count).toBe(1);
  expect((await bystander.get('/resources/notes')).body.meta.count).toBe(0);
});
