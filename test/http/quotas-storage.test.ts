/** Quotas of documents, bytes and types (docs/operating.md): each reached, and what goes on then. */
import { describe, expect, test } from 'vitest';
import { Client, operator, type Link, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { restore } from '../support/history.ts';
import { add, operate, operateWith } from '../support/operations.ts';
import { logIn, makeUser, may, PASSWORD } from '../support/people.ts';
import { callOperator, firstPage } from '../support/transfer.ts';
import { settle } from '../support/type-settings.ts';
import { limited } from '../support/app.ts';

const FULL = ['507 quota-exceeded'];

const create = (client: Client, type: string, attributes: object = {}, headers = {}): Promise<Reply> =>
  client.create(`/resources/${type}`, { attributes }, headers);

const countOf = async (client: Client, type: string): Promise<number> =>
  (await client.get(`/resources/${type}?page[limit]=1`)).body.meta.count;

const statuses = (replies: readonly Reply[], status: number) =>
  replies.filter((each) => each.status === status).length;

/** Creates until it is refused for a quota; gives what was made. */
async function fill(client: Client, type: string, attributes: object = {}): Promise<readonly Link[]> {
  const made: Link[] = [];
  for (;;) {
    const reply = await create(client, type, attributes);
    if (reply.status !== 201) {
      expect(faultsOf(reply)).toEqual(FULL);
      return made;
    }
    made.push({ type, id: reply.body.data.id });
  }
}

describe('a quota of documents', () => {
  test('is reached exactly, and says so', async () => {
    const client = await limited({ documents: 8 });
    expect(await fill(client, 'things')).toHaveLength(7);
    const refused = await create(client, 'things');
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.body.errors[0]?.meta).toMatchObject({ quota: 'documents' });
    expect(await countOf(client, 'things')).toBe(7);
  });

  test('keeps a deleted document from being restored until there is room', async () => {
    const client = await Client.create('restoring');
    await settle(client, { name: 'things', history: 'forever' });
    const [gone, other] = [await client.make('things'), await client.make('things')];
    await client.delete(`/resources/things/${gone.id}`);
    await client.make('things');
    await operator().change(client.application, { quotas: { documents: 4 } });
    expect(faultsOf(await restore(client, gone, 1))).toEqual(FULL);
    await client.delete(`/resources/things/${other.id}`);
    expect((await restore(client, gone, 1)).status).toBe(200);
  });

  test('lets reads, changes, deletions and logins go on, and what was deleted makes room', async () => {
    const client = await Client.create('busy');
    await makeUser(client, 'ada');
    const [first, second] = [await client.make('things', { a: 1 }), await client.make('things')];
    await operator().change(client.application, { quotas: { documents: 4 } });
    expect(faultsOf(await create(client, 'things'))).toEqual(FULL);
    const path = `/resources/things/${first.id}`;
    const change = { data: { type: 'things', id: first.id, attributes: { a: 2 } } };
    const answers = [
      await client.get(path),
      await client.get('/resources/things?filter[a]=1'),
      await client.patch(path, change),
      await logIn(client, 'ada', PASSWORD),
      await client.delete(`/resources/things/${second.id}`),
      await create(client, 'things'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 204, 201]);
    expect(faultsOf(await create(client, 'things'))).toEqual(FULL);
  });

  test('is one for all types: users, groups, keys and schemas count, and room moves between them', async () => {
    const client = await limited({ documents: 6 });
    await makeUser(client, 'ada');
    await client.create('/users/core.user-group');
    await client.withPermissions([]);
    const kept = await client.make('things');
    await client.make('others');
    const attributes = { username: 'grace', password: PASSWORD };
    const schema = { target: 'things', content: {} };
    const refused = [
      await client.create('/users/core.user', { attributes }),
      await client.create('/users/core.user-group'),
      await client.create('/users/core.external-user'),
      await client.create('/schemas/core.schema', { attributes: schema }),
      await client.create('/api-keys/core.api-key', { attributes: { name: 'a', permissions: [] } }),
      await create(client, 'fresh'),
    ];
    expect(refused.map(faultsOf)).toEqual(refused.map(() => FULL));
    expect((await client.delete(`/resources/things/${kept.id}`)).status).toBe(204);
    // The other type hears of the room within some seconds.
    await expect.poll(async () => (await create(client, 'others')).status).toBe(201);
    expect(await countOf(client, 'others')).toBe(2);
  });

  test('counts each of a list of operations, which is done as a whole or not at all', async () => {
    const client = await limited({ documents: 6 });
    const adds = (count: number) =>
      Array.from({ length: count }, (_, at) => add('things', { at }, undefined, `t${at}`));
    const refused = await operate(client, adds(6));
    expect(faultsOf(refused)).toEqual(FULL);
    expect(await countOf(client, 'things')).toBe(0);
    const made = await operate(client, adds(5));
    expect(made.status).toBe(200);
    const [oldest] = made.results;
    const ref = { type: 'things', id: oldest?.data?.id };
    const late = await operate(client, [add('things'), { op: 'remove', ref }]);
    expect(faultsOf(late)).toEqual(['507 quota-exceeded /atomic:operations/0']);
    expect((await operate(client, [{ op: 'remove', ref }, add('things')])).status).toBe(200);
    expect(await countOf(client, 'things')).toBe(5);
  });

  test('leaves out what exceeds it in a list that goes on', async () => {
    const client = await limited({ documents: 4 });
    const operations = Array.from({ length: 6 }, (_, at) => add('things', { at }));
    const reply = await operateWith(client, { 'atomic:operations': operations, meta: { atomic: false } });
    expect(reply.status).toBe(200);
    expect(await countOf(client, 'things')).toBe(3);
  });

  test('is never exceeded by creates that race, in one type and in several', async () => {
    const [one, several] = [await limited({ documents: 21 }), await limited({ documents: 21 })];
    const inOne = await Promise.all(Array.from({ length: 60 }, () => create(one, 'things')));
    expect([statuses(inOne, 201), statuses(inOne, 507)]).toEqual([20, 40]);
    const types = ['a', 'b', 'c', 'd'];
    const made = async () => {
      const counts = await Promise.all(types.map((type) => countOf(several, type)));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    const race = async () => {
      const replies = await Promise.all(
        Array.from({ length: 40 }, (_, at) => create(several, types[at % 4] ?? '')),
      );
      expect(statuses(replies, 201) + statuses(replies, 507)).toBe(40);
      expect(await made()).toBeLessThanOrEqual(20);
      return made();
    };
    // Types that hold room which they do not use give it back.
    await expect.poll(race).toBe(20);
  });

  test('that is set later counts what was there, and a larger one is obeyed at once', async () => {
    const client = await Client.create('old');
    for (const type of ['a', 'b', 'c']) await client.make(type);
    await operator().change(client.application, { quotas: { documents: 3 } });
    expect(faultsOf(await create(client, 'a'))).toEqual(FULL);
    await operator().change(client.application, { quotas: { documents: 5 } });
    expect((await create(client, 'a')).status).toBe(201);
    expect(faultsOf(await create(client, 'b'))).toEqual(FULL);
    await operator().change(client.application, { quotas: null });
    expect((await create(client, 'b')).status).toBe(201);
  });

  test('lets the same request be sent again, once there is room', async () => {
    const client = await limited({ documents: 2 });
    const [only] = await fill(client, 'things');
    const key = { 'idempotency-key': 'order-7' };
    expect(faultsOf(await create(client, 'things', {}, key))).toEqual(FULL);
    expect((await client.delete(`/resources/things/${only?.id ?? ''}`)).status).toBe(204);
    expect((await create(client, 'things', {}, key)).status).toBe(201);
    expect((await create(client, 'things', {}, key)).status).toBe(201);
    expect(await countOf(client, 'things')).toBe(1);
  });

  test('limits no import of the operator, but what it brings counts', async () => {
    const client = await Client.create('from');
    await client.make('things');
    await client.make('things');
    const { text } = await firstPage(client.application, 'things');
    const into = await limited({ documents: 2 });
    expect((await callOperator('POST', `${into.application}/documents/things`, text)).status).toBe(200);
    expect(await countOf(into, 'things')).toBe(2);
    expect(faultsOf(await create(into, 'things'))).toEqual(FULL);
  });

  test('tells what else is wrong with a document first', async () => {
    const client = await limited({ documents: 2 });
    await fill(client, 'things');
    const faulty = await client.create('/resources/things', { attributes: { $no: 1 } });
    expect(faultsOf(faulty)).toEqual(['422 invalid-field-name /data/attributes/$no']);
  });
});

describe('a quota of bytes', () => {
  const TEXT = 'x'.repeat(60_000);

  test('is reached, and only what makes documents smaller goes on', async () => {
    const client = await limited({ bytes: 2_000_000 });
    const made = await fill(client, 'things', { text: TEXT });
    expect(made.length).toBeGreaterThan(5);
    const [first] = made;
    const path = `/resources/things/${first?.id ?? ''}`;
    const patch = (attributes: object) => client.patch(path, { data: { ...first, attributes } });
    expect(faultsOf(await patch({ text: `${TEXT}${TEXT}` }))).toEqual(FULL);
    const readers = Array.from({ length: 1_000 }, (_, at) => identity(at));
    const grown = await client.patch(`/resources/things.acl/${first?.id ?? ''}`, {
      data: {
        type: 'things.acl',
        id: first?.id,
        attributes: { read: readers, update: readers },
      },
    });
    expect(faultsOf(grown)).toEqual(FULL);
    expect((await patch({ text: 'short' })).status).toBe(200);
    expect((await client.get(path)).body.data.attributes).toEqual({ text: 'short' });
    for (const { id } of made) expect((await client.delete(`/resources/things/${id}`)).status).toBe(204);
    expect((await create(client, 'things', { text: TEXT })).status).toBe(201);
  });

  test('counts the versions of a history: what would keep one more is refused', async () => {
    const client = await limited({ bytes: 2_000_000 });
    await settle(client, { name: 'things', history: { versions: 5 } });
    const [first] = await fill(client, 'things', { text: TEXT });
    const { id = '' } = first ?? {};
    const text = TEXT.replaceAll('x', 'y');
    const change = { data: { type: 'things', id, attributes: { text } } };
    expect(faultsOf(await client.patch(`/resources/things/${id}`, change))).toEqual(FULL);
    expect(faultsOf(await operate(client, [{ op: 'update', ...change }]))).toEqual([
      '507 quota-exceeded /atomic:operations/0',
    ]);
    expect((await client.delete(`/resources/things/${id}`)).status).toBe(204);
  });

  test('gives a history all that is free, however little a change or a restore sends', async () => {
    const client = await limited({ bytes: 8_000_000 });
    await settle(client, { name: 'things', history: 'forever' });
    const thing = await client.make('things', { text: 'x'.repeat(600_000) });
    const path = `/resources/things/${thing.id}`;
    for (let n = 1; n <= 4; n += 1)
      expect((await client.patch(path, { data: { ...thing, attributes: { n } } })).status).toBe(200);
    for (let n = 1; n <= 3; n += 1) expect((await restore(client, thing, n)).status).toBe(200);
  });

  test('makes no new type that has no room, and a bulk change grows nothing', async () => {
    const client = await limited({ bytes: 2_000_000 });
    const bulk = await client.withPermissions([may('get patch delete bulk', '/resources/.*')]);
    await fill(client, 'things', { text: TEXT });
    expect(faultsOf(await create(client, 'fresh'))).toEqual(FULL);
    const types = (await callOperator('GET', `${client.application}/types`)).body.meta['types'];
    expect(JSON.stringify(types)).not.toContain('fresh');
    const body = { data: { type: 'things', attributes: { more: TEXT } }, meta: { limit: 1000 } };
    const all = '/resources/things?filter[more]={"$exists":false}';
    expect(faultsOf(await bulk.patch(all, body))).toEqual(FULL);
    expect((await client.get(all)).body.meta.count).toBe(await countOf(client, 'things'));
  });
});

/** An identity that nobody has. */
function identity(at: number): Link {
  return { type: 'core.user', id: at.toString(16).padStart(24, '0') };
}

describe('a quota of types', () => {
  test('lets no type more hold documents, whatever else is set for it', async () => {
    const client = await limited({ types: 2 });
    const first = await client.make('a');
    await client.make('b');
    const attributes = { target: 'c', content: {} };
    expect((await client.create('/schemas/core.schema', { attributes })).status).toBe(201);
    const refused = await create(client, 'c');
    expect(faultsOf(refused)).toEqual(FULL);
    expect(refused.body.errors[0]?.meta).toMatchObject({ quota: 'types' });
    expect((await operate(client, [add('c')])).status).toBe(507);
    expect((await create(client, 'a')).status).toBe(201);
    await makeUser(client, 'ada');
    const rest = await client.get('/resources/a');
    for (const { id } of rest.body.data) await client.delete(`/resources/a/${id}`);
    expect(rest.body.data.map(({ id }) => id)).toContain(first.id);
    await expect.poll(async () => (await create(client, 'c')).status).toBe(201);
    await expect.poll(async () => faultsOf(await create(client, 'a'))).toEqual(FULL);
  });

  test('is not exceeded by creates of new types that race', async () => {
    const client = await limited({ types: 3 });
    const replies = await Promise.all(Array.from({ length: 12 }, (_, at) => create(client, `type${at}`)));
    expect([statuses(replies, 201), statuses(replies, 507)]).toEqual([3, 9]);
  });
});

test('quotas of one application take nothing from another', async () => {
  const [one, other] = [await limited({ documents: 1 }), await limited({ documents: 3 })];
  expect(await fill(one, 'things')).toHaveLength(0);
  expect(await fill(other, 'things')).toHaveLength(2);
});
