/** Applications: the operator's endpoints, and the walls between applications (decisions, section 4). */
import { inject } from 'vitest';
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, MEDIA_TYPE, NO_ID, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { EVERY_METHOD, may } from '../support/people.ts';
import { callOperator } from '../support/transfer.ts';

const PATH = '/applications/core.application';

const named = (name: unknown) => ({ data: { type: 'core.application', attributes: { name } } });

describe('the operator', () => {
  test('creates an application with a first key that permits everything', async () => {
    const made = await callOperator('POST', '', named('Mine'));
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${inject('url')}${PATH}/${made.body.data.id}`);
    expect(made.body.data).toMatchObject({ type: 'core.application', attributes: { name: 'Mine' } });
    const client = new Client(inject('url'), made.body.data.id, String(made.body.meta['api-key']));
    const document = await client.make('things', { a: 1 });
    const answers = [
      await client.get(`/resources/things/${document.id}`),
      await client.update(`/resources/things/${document.id}`, {}),
      await client.delete(`/resources/things/${document.id}`),
      await client.get('/api-keys/core.api-key'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 200]);
  });

  test('lists, reads and renames applications', async () => {
    const { id } = await operator().create('Old');
    expect(await operator().change(id, { name: 'New' })).toEqual({ id, name: 'New' });
    expect((await operator().list()).filter((each) => each.id === id)).toEqual([{ id, name: 'New' }]);
    const read = await callOperator('GET', id);
    expect(read.body.data.attributes).toEqual({ name: 'New' });
  });

  test('sees the first key once: neither reads nor lists show it', async () => {
    const { id, apiKey } = await operator().create('Once');
    for (const path of [id, '?page[limit]=1000']) {
      expect((await callOperator('GET', path)).text).not.toContain(apiKey);
    }
  });

  test('makes keys of an application, one that can not be used any more included', async () => {
    const client = await Client.create('Locked');
    const [only] = (await client.get('/api-keys/core.api-key')).body.data;
    const data = { type: 'core.api-key', id: only?.id, attributes: { permissions: [] } };
    expect((await client.patch(`/api-keys/core.api-key/${only?.id ?? ''}`, { data })).status).toBe(200);
    expect((await client.get('/api-keys/core.api-key')).status).toBe(403);

    const everything = [may(EVERY_METHOD, '.*')];
    const attributes = { name: 'spare', permissions: everything };
    const made = await callOperator('POST', `${client.application}/api-keys`, {
      data: { type: 'core.api-key', attributes },
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${client.url}/api-keys/core.api-key/${made.body.data.id}`);
    const secureId = String(made.body.data.attributes?.['secure-id']);
    const spare = new Client(client.url, client.application, secureId);
    expect((await spare.get('/api-keys/core.api-key')).body.meta.count).toBe(2);
    expect(await operator().key(client.application, 'another')).not.toBe(secureId);
  });

  test.each([
    ['of an application that never was', NO_ID, { name: 'x', permissions: [] }, '404 document-not-found'],
    ['without permissions', null, { name: 'x' }, '422 invalid-attribute /data/attributes/permissions'],
  ])('is refused a key %s', async (_, id, attributes, fault) => {
    const application = id ?? (await operator().create('Keys')).id;
    const data = { type: 'core.api-key', attributes };
    expect(faultsOf(await callOperator('POST', `${application}/api-keys`, { data }))).toEqual([fault]);
  });

  test('deletes an application with its last key', async () => {
    const client = await Client.create('Going');
    await operator().delete(client.application);
    expect((await client.get('/resources/things')).status).toBe(401);
    await expect(operator().key(client.application, 'late')).rejects.toThrow(/does not exist/);
  });

  test('may give two applications one name', async () => {
    const [one, other] = [await operator().create('Same'), await operator().create('Same')];
    expect(one.id).not.toBe(other.id);
  });

  test.each([
    ['no name', undefined],
    ['an empty name', ''],
    ['a name that is no string', 7],
    ['a name that is null', null],
  ])('is refused an application with %s', async (_, name) => {
    expect(faultsOf(await callOperator('POST', '', named(name)))).toEqual([
      '422 invalid-attribute /data/attributes/name',
    ]);
  });

  test.each(['GET', 'PATCH', 'DELETE'])(
    'gets 404 for %s of an application that never was',
    async (method) => {
      const body = { data: { type: 'core.application', id: NO_ID, attributes: { name: 'x' } } };
      const answer = await callOperator(method, NO_ID, method === 'PATCH' ? body : undefined);
      expect(faultsOf(answer)).toEqual(['404 document-not-found']);
    },
  );

  test('is bound by ETags as everybody is', async () => {
    const { id } = await operator().create('Tagged');
    const { etag } = await callOperator('GET', id);
    await operator().change(id, { name: 'Changed' });
    const headers = { authorization: `Bearer ${inject('operatorSecret')}`, 'if-match': etag };
    const stale = await new Client(inject('url'), '', '').delete(`${PATH}/${id}`, undefined, headers);
    expect(faultsOf(stale)).toEqual(['412 precondition-failed If-Match:']);
    expect((await callOperator('GET', id)).status).toBe(200);
  });
});

describe('without the operator secret everything of applications is 401', () => {
  const secret = () => inject('operatorSecret');

  test.each([
    ['no header', () => ''],
    ['a wrong secret', () => `Bearer ${'x'.repeat(40)}`],
    ['a part of the secret', () => `Bearer ${secret().slice(0, -1)}`],
    ['more than the secret', () => `Bearer ${secret()}o`],
    ['an empty secret', () => 'Bearer '],
    ['another scheme', () => `Basic ${secret()}`],
    ['the bare secret', () => secret()],
    ['the secret twice', () => `Bearer ${secret()}, Bearer ${secret()}`],
  ])('%s', async (_, authorization) => {
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['GET', `${PATH}/${NO_ID}`],
      ['PATCH', `${PATH}/${NO_ID}`],
      ['DELETE', `${PATH}/${NO_ID}`],
      ['POST', `${PATH}/${NO_ID}/api-keys`],
      ['GET', '/applications/anything/else'],
    ] as const) {
      const headers = { authorization: authorization() };
      const answer = await new Client(inject('url'), 'none', 'none').send(method, path, {
        headers,
        ...(method !== 'GET' && { body: {} }),
      });
      expect(faultsOf(answer)).toEqual(['401 operator-required Authorization:']);
    }
  });

  test('an API key that permits everything does not help, and the secret is no API key', async () => {
    const client = await Client.create();
    for (const headers of [{}, { authorization: `Bearer ${client.key}` }])
      expect((await client.get(PATH, headers)).status).toBe(401);
    const other = new Client(client.url, client.application, secret());
    expect((await other.get('/resources/a')).status).toBe(401);
    const authorization = { authorization: `Bearer ${secret()}` };
    expect((await other.get('/resources/a', authorization)).status).toBe(401);
  });
});

describe('everything of one application is invisible to every other', () => {
  let one: Client, other: Client;
  beforeAll(async () => {
    one = await Client.create('one');
    other = await Client.create('other');
  });

  test('the same type names hold different documents', async () => {
    await one.make('shared', { of: 'one' });
    await other.make('shared', { of: 'other' });
    for (const [client, of] of [
      [one, 'one'],
      [other, 'other'],
    ] as const) {
      const list = await client.get('/resources/shared');
      expect(list.body.meta.count).toBe(1);
      expect(list.body.data.map(({ attributes }) => attributes)).toEqual([{ of }]);
    }
  });

  test('a document of one is 404 in the other: to read, change, delete, link and relate', async () => {
    const made = await one.make('secrets', { a: 1 }, { r: { data: null } });
    await other.make('secrets');
    const path = `/resources/secrets/${made.id}`;
    const link = { type: 'secrets', id: made.id };
    const answers = [
      await other.get(path),
      await other.patch(path, { data: link }),
      await other.delete(path),
      await other.get(`${path}/relationships/r`),
      await other.get(`${path}/r`),
    ];
    expect(answers.map(faultsOf)).toEqual(answers.map(() => ['404 document-not-found']));
    expect(
      faultsOf(await other.create('/resources/links', { relationships: { r: { data: link } } })),
    ).toEqual(['404 link-not-found /data/relationships/r/data']);
    expect((await one.get(path)).body.data.attributes).toEqual({ a: 1 });
  });

  test('keys of one are neither seen nor changed by the other', async () => {
    const { data } = (await one.get('/api-keys/core.api-key')).body;
    const [key] = data;
    const path = `/api-keys/core.api-key/${key?.id ?? ''}`;
    expect((await other.get(path)).status).toBe(404);
    expect((await other.delete(path)).status).toBe(404);
    expect((await other.get('/api-keys/core.api-key')).text).not.toContain(one.key);
    expect((await one.get('/resources/shared')).status).toBe(200);
  });
});

describe('after its deletion', () => {
  test('an application answers none of its keys, at the next request', async () => {
    const client = await Client.create('doomed');
    const narrow = await client.withPermissions([may('get', '/resources/.*')]);
    const { id } = await client.make('things', { a: 1 });
    expect((await narrow.get(`/resources/things/${id}`)).status).toBe(200);
    await operator().delete(client.application);
    const answers = [
      await client.get(`/resources/things/${id}`),
      await client.get('/resources/things'),
      await client.create('/resources/things'),
      await client.create('/resources/new'),
      await client.get('/api-keys/core.api-key'),
      await narrow.get(`/resources/things/${id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
  });

  test('it leaves the list, and cannot be deleted or renamed again', async () => {
    const { id } = await operator().create('doomed');
    await operator().delete(id);
    expect((await operator().list()).map((each) => each.id)).not.toContain(id);
    expect((await callOperator('GET', id)).body.data).toBeNull();
    expect((await callOperator('DELETE', id)).status).toBe(404);
    const body = { data: { type: 'core.application', id, attributes: { name: 'x' } } };
    expect((await callOperator('PATCH', id, body)).status).toBe(404);
  });

  test('others go on', async () => {
    const [doomed, other] = [await Client.create(), await Client.create()];
    await Promise.all([doomed.make('things'), other.make('things')]);
    await operator().delete(doomed.application);
    expect((await other.get('/resources/things')).body.meta.count).toBe(1);
  });

  test('no write that was under way brings anything back', async () => {
    const client = await Client.create('racing');
    const writes = Array.from({ length: 30 }, (_, n) =>
      client.post(`/resources/race-${n % 10}`, { data: { type: `race-${n % 10}` } }),
    );
    await Promise.all([...writes, operator().delete(client.application)]);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => client.get(`/resources/race-${n}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
  });
});

test('answers to the operator are JSON:API too', async () => {
  expect((await callOperator('GET')).headers.get('content-type')).toBe(MEDIA_TYPE);
});
