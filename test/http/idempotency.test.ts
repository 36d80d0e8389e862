/** `Idempotency-Key`: a POST that is sent again is done once, and its first answer is given again. */
import { describe, expect, test } from 'vitest';
import { Client, link, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate, update } from '../support/operations.ts';
import { ACL, logIn, makeUser, may, PASSWORD } from '../support/people.ts';

const client = await Client.create();

let keys = 0;
const fresh = (): { readonly 'idempotency-key': string } => ({ 'idempotency-key': `key-${(keys += 1)}` });
const note = (attributes: unknown, relationships?: unknown) => ({
  data: { type: 'notes', attributes, ...(relationships !== undefined && { relationships }) },
});
const countOf = async (type: string): Promise<number> =>
  (await client.get(`/resources/${type}?page[limit]=1`)).body.meta.count;
const said = ({ status, text, etag, headers }: Reply) => ({
  status,
  text,
  etag,
  location: headers.get('location'),
});

describe('a create with a key', () => {
  test('is done once: the first answer comes again, byte for byte, whatever has become of the document', async () => {
    const header = fresh();
    const first = await client.create('/resources/once', { attributes: { n: 1 } }, header);
    expect(first.status).toBe(201);
    const { type, id } = first.body.data;
    const again = () => client.create('/resources/once', { attributes: { n: 1 } }, header);
    expect(said(await again())).toEqual(said(first));
    await client.patch(`/resources/once/${id}`, { data: { type, id, attributes: { n: 2 } } });
    expect(said(await again())).toEqual(said(first));
    await client.delete(`/resources/once/${id}`);
    expect(said(await again())).toEqual(said(first));
    expect(await countOf('once')).toBe(0);
  });

  test('does not ask again whether links lead somewhere', async () => {
    const target = await client.make('targets');
    const body = note({}, { to: { data: { type: target.type, id: target.id } } });
    const header = fresh();
    const first = await client.post('/resources/notes', body, header);
    await client.delete(`/resources/targets/${target.id}`);
    expect(said(await client.post('/resources/notes', body, header))).toEqual(said(first));
    expect((await client.post('/resources/notes', body, fresh())).status).toBe(404);
  });

  test('keeps its key from another body: 422', async () => {
    const header = fresh();
    await client.post('/resources/notes', note({ n: 1 }), header);
    const refused = await client.post('/resources/notes', note({ n: 2 }), header);
    expect(faultsOf(refused)).toEqual(['422 idempotency-key-reused Idempotency-Key:']);
    // An integer and a double are not the same.
    const text = '{"data":{"type":"notes","attributes":{"n":1.0}}}';
    expect((await client.post('/resources/notes', text, header)).status).toBe(422);
    const blank = '{ "data": {"type": "notes", "attributes": {"n": 1}} }';
    expect((await client.post('/resources/notes', blank, header)).status).toBe(201);
  });

  test('sent twenty times at once makes one document: each is told of it, or that it is being made', async () => {
    const header = fresh();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => client.create('/resources/twenty', { attributes: { n: 1 } }, header)),
    );
    const made = replies.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    const others = replies.filter(({ status }) => status !== 201).map(faultsOf);
    expect(new Set(others.flat())).toEqual(
      new Set(others.length === 0 ? [] : ['409 request-in-progress Idempotency-Key:']),
    );
    expect(await countOf('twenty')).toBe(1);
  });

  test('is bound to its path, its API key and its user', async () => {
    const header = fresh();
    const first = await client.post('/resources/notes', note({ n: 1 }), header);
    const path = await client.create('/resources/others', {}, header);
    expect(path.status).toBe(201);
    const other = await client.withPermissions([may('post', '/resources/.*')]);
    const second = await other.post('/resources/notes', note({ n: 1 }), header);
    const web = await client.withPermissions([may('post', '/resources/.*', ACL)]);
    const [ada, eva] = [await makeUser(client, 'ada'), await makeUser(client, 'eva')];
    const asAda = await web.post('/resources/notes', note({ n: 1 }), { ...header, ...ada.headers });
    const asEva = await web.post('/resources/notes', note({ n: 1 }), { ...header, ...eva.headers });
    const ids = [first, second, asAda, asEva].map(({ body }) => body.data.id);
    expect(new Set(ids).size).toBe(4);
    const again = await web.post('/resources/notes', note({ n: 1 }), { ...header, ...ada.headers });
    expect(again.body.data.id).toBe(asAda.body.data.id);
  });

  test.each([
    ['a rule', '/resources/named', { where: { text: { $ne: '$$viewer.id' } } }],
    ['ACL on what a list of operations writes', '/operations', {}],
  ])('is bound to the user whom %s looks at', async (_, path, rule) => {
    const header = fresh();
    const web = await client.withPermissions([
      may('post', path, { ...rule }),
      may('post', '/resources/.*', ACL),
    ]);
    const ids = [];
    for (const name of ['fay', 'gil']) {
      const user = await makeUser(client, `${name}${path.length}`);
      const headers = { ...header, ...user.headers };
      if (path === '/operations') {
        ids.push((await operate(web, [add('named', { n: 1 })], headers)).results[0]?.data?.id);
      } else {
        const made = await web.post(path, { data: { type: 'named', attributes: { n: 1 } } }, headers);
        ids.push(made.body.data.id);
      }
    }
    expect(ids).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set(ids).size).toBe(2);
  });

  test('is tried anew where it was refused: nothing was written', async () => {
    const header = fresh();
    const missing = note({}, { to: { data: { type: 'late', id: '0123456789abcdef01234567' } } });
    expect((await client.post('/resources/notes', missing, header)).status).toBe(404);
    expect((await client.post('/resources/notes', missing, header)).status).toBe(404);
    expect((await client.post('/resources/notes', note({ n: 5 }), header)).status).toBe(201);
  });

  test('may have a megabyte', async () => {
    const header = fresh();
    const body = note({ text: '"é😀'.repeat(110_000) });
    const first = await client.post('/resources/large', { data: { ...body.data, type: 'large' } }, header);
    expect(first.status).toBe(201);
    const again = await client.post('/resources/large', { data: { ...body.data, type: 'large' } }, header);
    expect(said(again)).toEqual(said(first));
  });
});

describe('documents of the service', () => {
  test('a user is made once, and the answer shows the same hash', async () => {
    const header = fresh();
    const body = { data: { type: 'core.user', attributes: { username: 'once', password: PASSWORD } } };
    const first = await client.post('/users/core.user', body, header);
    expect(said(await client.post('/users/core.user', body, header))).toEqual(said(first));
    const other = { data: { type: 'core.user', attributes: { username: 'once', password: 'another one' } } };
    expect((await client.post('/users/core.user', other, header)).status).toBe(422);
    expect((await logIn(client, 'once', PASSWORD)).status).toBe(201);
  });

  test('an API key is made once, and its secure-id comes again', async () => {
    const header = fresh();
    const body = { data: { type: 'core.api-key', attributes: { name: 'k', permissions: [] } } };
    const first = await client.post('/api-keys/core.api-key', body, header);
    expect(first.body.data.attributes?.['secure-id']).toMatch(/./);
    expect(said(await client.post('/api-keys/core.api-key', body, header))).toEqual(said(first));
  });

  test('a schema is in force when it is told of again', async () => {
    const header = fresh();
    const content = { properties: { attributes: { required: ['v'] } } };
    const body = { data: { type: 'core.schema', attributes: { target: 'strict', content } } };
    const first = await client.post('/schemas/core.schema', body, header);
    expect(said(await client.post('/schemas/core.schema', body, header))).toEqual(said(first));
    expect((await client.create('/resources/strict', { attributes: { w: 1 } })).status).toBe(422);
  });
});

describe('other requests', () => {
  test('links are added once: the first answer shows the links of then', async () => {
    const [owner, one, two] = [
      await client.make('owners'),
      await client.make('notes'),
      await client.make('notes'),
    ];
    const path = `/resources/owners/${owner.id}/relationships/notes`;
    const header = fresh();
    const first = await client.post(path, { data: [link(one)] }, header);
    await client.delete(path, { data: [link(one)] });
    await client.post(path, { data: [link(two)] });
    expect(said(await client.post(path, { data: [link(one)] }, header))).toEqual(said(first));
    expect((await client.get(path)).body.data).toEqual([link(two)]);
  });

  test('a list of operations is done once', async () => {
    const counter = await client.make('counters', { n: 0 });
    const { type, id } = counter;
    const operations = [
      add('counters', { n: 7 }),
      { op: 'update', data: { type, id, meta: { update: { $inc: { n: 1 } } } } },
    ];
    const header = fresh();
    const first = await operate(client, operations, header);
    expect(first.status).toBe(200);
    expect(said(await operate(client, operations, header))).toEqual(said(first));
    expect((await client.get(`/resources/counters/${id}`)).body.data.attributes).toEqual({ n: 1 });
    const other = await operate(client, [update(counter, { n: 5 })], header);
    expect(faultsOf(other)).toEqual(['422 idempotency-key-reused Idempotency-Key:']);
  });

  test.each([
    ['a login', 'POST', '/users/core.user.token'],
    ['a PATCH', 'PATCH', '/resources/notes/0123456789abcdef01234567'],
    ['a DELETE', 'DELETE', '/resources/notes/0123456789abcdef01234567'],
  ])('%s takes no key: 400', async (_name, method, path) => {
    const refused = await client.send(method, path, {
      headers: fresh(),
      ...(method === 'PATCH' && { body: { data: {} } }),
    });
    expect(faultsOf(refused)).toEqual(['400 invalid-header Idempotency-Key:']);
  });

  test.each([
    ['256 characters', 'k'.repeat(256)],
    ['a blank inside', 'a b'],
    ['nothing', ''],
  ])('a key of %s is refused', async (_name, key) => {
    const refused = await client.post('/resources/notes', note({}), { 'idempotency-key': key });
    expect(faultsOf(refused)).toEqual(['400 invalid-header Idempotency-Key:']);
  });

  test('a key of 255 characters is taken, and a quoted one', async () => {
    for (const key of ['k'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"']) {
      expect((await client.post('/resources/notes', note({}), { 'idempotency-key': key })).status).toBe(201);
    }
  });

  test('browsers may send it', async () => {
    const asked = await fetch(`${client.url}/resources/notes`, { method: 'OPTIONS' });
    expect(asked.headers.get('access-control-allow-headers')?.split(',')).toContain('idempotency-key');
  });
});
