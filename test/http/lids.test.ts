/** Local ids: what a new document is called within its own request, so that it can link to itself. */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { operate } from '../support/operations.ts';
import { settle } from '../support/type-settings.ts';

const client = await Client.create();
const { type, id } = await client.make('people', { name: 'Ada' });
const ada = { type, id };

const self = { type: 'people', lid: 'new' };

describe('A new document links to itself', () => {
  test.each<[string, unknown, (id: string) => unknown]>([
    ['to-one', self, (id) => ({ type: 'people', id })],
    ['to-many', [self], (id) => [{ type: 'people', id }]],
    ['twice, which is once', [self, self], (id) => [{ type: 'people', id }]],
  ])('%s', async (_, data, expected) => {
    const made = await client.post('/resources/people', {
      data: { ...self, attributes: { name: 'x' }, relationships: { boss: { data } } },
    });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    expect(made.body.data.relationships?.['boss']?.data).toEqual(expected(id));
    expect((await client.get(`/resources/people/${id}`)).body.data).toEqual(made.body.data);
    const found = await client.get(`/resources/people?filter[boss.id]={"$oid":"${id}"}`);
    expect(found.body.data.map((each) => each.id)).toEqual([id]);
  });

  test('and to others', async () => {
    const made = await client.post('/resources/people', {
      data: { ...self, relationships: { friends: { data: [ada, self] } } },
    });
    const { id } = made.body.data;
    expect(made.body.data.relationships?.['friends']?.data).toEqual([ada, { type: 'people', id }]);
  });

  test('though its client says that it has no id', async () => {
    const made = await client.post('/resources/people', { data: { ...self, id: null } });
    expect([made.status, made.body.data.id]).toEqual([201, expect.stringMatching(/^[0-9a-f]{24}$/)]);
  });

  test('with an id that its client has chosen', async () => {
    await settle(client, { name: 'chosen', 'client-ids': true });
    const id = 'a'.repeat(24);
    const link = { type: 'chosen', lid: 'x' };
    const made = await client.post('/resources/chosen', {
      data: { ...link, id, relationships: { self: { data: link } } },
    });
    expect(made.body.data.relationships?.['self']?.data).toEqual({ type: 'chosen', id });
  });

  test('in a list of operations', async () => {
    const other = { type: 'people', lid: 'other' };
    const reply = await operate(client, [
      { op: 'add', data: { ...other } },
      { op: 'add', data: { ...self, relationships: { friends: { data: [other, self] } } } },
    ]);
    expect(reply.status, reply.text).toBe(200);
    const ids = reply.results.map(({ data }) => data?.id ?? '');
    const links = ids.map((id) => ({ type: 'people', id }));
    expect(reply.results[1]?.data).toMatchObject({ relationships: { friends: { data: links } } });
    const [, mine = ''] = ids;
    const read = await client.get(`/resources/people/${mine}`);
    expect(read.body.data.relationships?.['friends']?.data).toEqual(links);
  });
});

describe('A lid is refused', () => {
  test.each<[string, unknown, string]>([
    ['that is no string', { type: 'people', lid: 1 }, '400 invalid-body /data/lid'],
    [
      'that the request does not give',
      { ...self, relationships: { boss: { data: { type: 'people', lid: 'other' } } } },
      '400 invalid-body /data/relationships/boss/data/lid',
    ],
    [
      'of another type',
      { ...self, relationships: { boss: { data: { type: 'firms', lid: 'new' } } } },
      '400 invalid-body /data/relationships/boss/data/lid',
    ],
    [
      'beside an id',
      { ...self, relationships: { boss: { data: { ...self, id: 'a'.repeat(24) } } } },
      '400 invalid-body /data/relationships/boss/data',
    ],
    [
      'where nothing has one',
      { type: 'people', relationships: { boss: { data: self } } },
      '422 invalid-relationship /data/relationships/boss/data',
    ],
  ])('%s', async (_, data, fault) => {
    expect(faultsOf(await client.post('/resources/people', { data }))).toEqual([fault]);
  });
});

describe('An id that a client has chosen is refused with what to do', () => {
  test.each<[string, string, string]>([
    ['of 24 digits', 'people', 'a'.repeat(24)],
    ['of any other form', 'people', '3f0c5b0e-5a0e-4a94-8f0e-0d5d3f1f6a1b'],
  ])('%s', async (_, type, id) => {
    const reply = await client.create(`/resources/${type}`, { id });
    expect(faultsOf(reply)).toEqual(['403 client-id /data/id']);
    expect(reply.body.errors[0]?.detail).toMatch(
      /leave id out, or.* send a lid.*core\.type.*"client-ids": true/,
    );
  });

  test('where no setting would allow it, that is not said', async () => {
    const [error] = (await client.create('/users/core.user-group', { id: 'a'.repeat(24) })).body.errors;
    expect([error?.code, error?.detail]).toEqual([
      'client-id',
      'The service gives these documents their ids: leave id out.',
    ]);
  });
});
