/** Ids that clients choose (`client-ids` in the settings of a type): who may, which, and how documents are ordered. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { operate } from '../support/operations.ts';
import { resettle, settle } from '../support/type-settings.ts';

const client = await Client.create();
await settle(client, { name: 'answers', 'client-ids': true });

function make(type: string, id?: unknown, rest: object = {}): Promise<Reply> {
  return client.create(`/resources/${type}`, { ...(id !== undefined && { id }), ...rest });
}

const told = ({ status, body }: Reply) => [status, body.errors[0]?.code, body.errors[0]?.source?.pointer];

/** An id whose first digits are those of a number. */
const idOf = (first: number) => first.toString(16).padStart(4, '0').padEnd(24, 'a');

describe('which ids', () => {
  test('24 hexadecimal digits, in either case', async () => {
    const made = await make('answers', 'ABCDEF0123456789ABCDEF01');
    expect([made.status, made.body.data.id]).toEqual([201, 'abcdef0123456789abcdef01']);
    expect((await client.get('/resources/answers/abcdef0123456789abcdef01')).status).toBe(200);
    expect(told(await make('answers', 'abcdef0123456789abcdef01'))).toEqual([409, 'id-conflict', '/data/id']);
  });

  test('not one that was deleted', async () => {
    await make('answers', idOf(1));
    await client.delete(`/resources/answers/${idOf(1)}`);
    expect(told(await make('answers', idOf(1)))).toEqual([409, 'id-conflict', '/data/id']);
    expect((await client.get(`/resources/answers/${idOf(1)}`)).body.data).toBe(null);
  });

  test.each([['short'], [''], [7], [null], ['0123456789abcdef0123456g'], ['0'.repeat(25)]])(
    'not %j',
    async (id) => {
      expect(told(await make('answers', id))).toEqual([403, 'client-id', '/data/id']);
    },
  );

  test('none where the settings do not say so, whatever else is wrong', async () => {
    expect(told(await make('others', idOf(2)))).toEqual([403, 'client-id', '/data/id']);
    expect(told(await make('others', idOf(2), { attributes: { 'a.b': 1 } }))).toEqual([
      403,
      'client-id',
      '/data/id',
    ]);
    expect(told(await make('answers', idOf(2), { attributes: { 'a.b': 1 } }))[0]).toBe(422);
    await settle(client, { name: 'closed', 'client-ids': true });
    await resettle(client, 'closed', { 'client-ids': null });
    expect(told(await make('closed', idOf(2)))).toEqual([403, 'client-id', '/data/id']);
    const user = { type: 'core.user', id: idOf(2), attributes: { username: 'u', password: 'a good secret' } };
    expect(told(await client.post('/users/core.user', { data: user }))).toEqual([
      403,
      'client-id',
      '/data/id',
    ]);
  });

  test('of parallel creates with one id one is done', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => make('answers', idOf(3))));
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  test('operations add documents with ids, and link to them', async () => {
    const add = (id: string, relationships = {}) => ({
      op: 'add',
      data: { type: 'answers', id, relationships },
    });
    const parent = { parent: { data: { type: 'answers', id: idOf(4) } } };
    expect((await operate(client, [add(idOf(4)), add(idOf(5), parent)])).status).toBe(200);
    const { body } = await client.get(`/resources/answers/${idOf(5)}?include=parent`);
    expect(body.included.map(({ id }) => id)).toEqual([idOf(4)]);
    expect(told(await operate(client, [add(idOf(6)), add(idOf(4))]))).toEqual([
      409,
      'id-conflict',
      '/atomic:operations/1/data/id',
    ]);
    expect((await client.get(`/resources/answers/${idOf(6)}`)).status).toBe(404);
  });
});

describe('order', () => {
  const arrived: string[] = [];
  beforeAll(async () => {
    await settle(client, { name: 'mixed', 'client-ids': true });
    // Ids of clients above and below those of the service, in no order.
    for (const first of [
      0xff00,
      undefined,
      0x0001,
      0x8000,
      undefined,
      0xfffe,
      0x0002,
      undefined,
      0x7000,
      0xff01,
    ]) {
      const made = await make('mixed', first === undefined ? undefined : idOf(first), {
        attributes: { same: 1 },
      });
      arrived.push(made.body.data.id);
    }
  });
  const ascending = () => [...arrived].sort();

  async function pagesOf(query: string): Promise<readonly string[]> {
    const ids: string[] = [];
    let next: string | null = `/resources/mixed?${query}&page[size]=3&page[after]=`;
    while (next !== null) {
      const { body }: Reply = await client.get(next.replace(client.url, ''));
      ids.push(...body.data.map(({ id }) => id));
      next = body.links.next;
    }
    return ids;
  }

  test.each<[string, string, () => readonly string[]]>([
    ['without sort: that of arrival', '', () => arrived],
    ['by a field with equal values: that of arrival', 'sort=same', () => arrived],
    ['by id', 'sort=id', ascending],
    ['by id, descending', 'sort=-id', () => ascending().reverse()],
    ['by a field, then id', 'sort=same,-id', () => ascending().reverse()],
    ['of a filter', 'filter[same]=1', () => arrived],
    ['of a filter, by id', 'filter[same]=1&sort=id', ascending],
  ])('%s', async (_, query, expected) => {
    expect((await client.get(`/resources/mixed?${query}`)).body.data.map(({ id }) => id)).toEqual(expected());
    expect(await pagesOf(query)).toEqual(expected());
  });

  test('ranges of ids are ranges of ids', async () => {
    for (const id of arrived) {
      for (const [operator, holds] of [
        ['$lte', (each: string) => each <= id],
        ['$gt', (each: string) => each > id],
      ] as const) {
        const filter = encodeURIComponent(JSON.stringify({ [operator]: { $oid: id } }));
        const { body } = await client.get(`/resources/mixed?filter[id]=${filter}`);
        expect(body.data.map((each) => each.id)).toEqual(arrived.filter(holds));
      }
    }
  });

  test('the service goes on from its own ids, not from those of clients', async () => {
    const made = await make('mixed');
    expect(made.body.data.id < idOf(0xff00)).toBe(true);
    await client.delete(`/resources/mixed/${made.body.data.id}`);
  });
});
