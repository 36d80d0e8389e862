/** Data that a former version has stored stay readable, usable and changeable (docs/contributing.md, Migrations). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, type Resource } from '../support/client.ts';
import { formerStores, readStore, unpackStore, type FormerRead } from '../support/stores.ts';
import { clientOf, Starts } from '../support/starts.ts';

test('there are stores of former versions', () => {
  expect(formerStores().length).toBeGreaterThanOrEqual(2);
});

describe.each(formerStores())('a store of migration %s', (name) => {
  const store = readStore(name);
  let starts: Starts;
  let service: Client;
  let keyWithAcl: Client;

  beforeAll(async () => {
    starts = await Starts.prepare();
    unpackStore(store, starts.folder);
    service = clientOf(await starts.run());
    keyWithAcl = new Client(service.url, service.application, store.key);
  });
  afterAll(() => starts.end());

  /** An answer of then, with the address of now. */
  const now = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value ?? null).replaceAll(store.base_url, service.url)) as T;

  const logIn = async (login: readonly [string, string] = ['', '']) => {
    const answer = await service.post('/users/core.user.token', undefined, {
      authorization: `Basic ${btoa(login.join(':'))}`,
    });
    expect(answer.status, answer.text).toBe(201);
    return { authorization: `Token ${String(answer.body.data.attributes?.['token'])}` };
  };

  const read = async ({ path, as }: FormerRead) =>
    as === 'service' ? service.get(path) : keyWithAcl.get(path, await logIn(store.logins[0]));

  test.each(store.reads)('$path answers as it did, to a $as', async (former) => {
    const { status, body, text } = await read(former);
    expect(status, text).toBe(200);
    expect(body.data).toEqual(now(former.data));
    if (former.included !== undefined) expect(body.included).toEqual(now(former.included));
    if (former.count !== undefined) expect(body.meta.count).toBe(former.count);
  });

  test('its users log in with their passwords, and with no others', async () => {
    for (const login of store.logins) await logIn(login);
    const [[username] = ['']] = store.logins;
    const authorization = `Basic ${btoa(`${username}:wrong`)}`;
    expect((await service.post('/users/core.user.token', undefined, { authorization })).status).toBe(401);
  });

  test('its documents are changed, found and deleted', async () => {
    const { data } = (await service.get('/resources/books?page[limit]=2&page[offset]=7')).body;
    const [one, other] = data as Resource[];
    if (one === undefined || other === undefined) throw new Error('The store has too few books.');
    const change = { data: { type: 'books', id: one.id, attributes: { title: 'Changed now', year: 3000 } } };
    expect((await service.patch(`/resources/books/${one.id}`, change)).status).toBe(200);
    expect((await service.delete(`/resources/books/${other.id}`)).status).toBe(204);
    const found = await service.get('/resources/books?filter[year]=3000');
    expect((found.body.data as Resource[]).map(({ id }) => id)).toEqual([one.id]);
    const gone = await service.get(`/resources/books?filter[id]={"$oid":"${other.id}"}`);
    expect(gone.body.meta.count).toBe(0);
    expect((await service.get(`/resources/books/${other.id}`)).body.data).toBeNull();
  });

  test('its schemas and rights hold', async () => {
    expect((await service.create('/resources/books', { attributes: { year: 'none' } })).status).toBe(422);
    const owner = await logIn(store.logins[0]);
    const stranger = await logIn(store.logins[1]);
    expect((await keyWithAcl.get('/resources/notes', owner)).body.meta.count).toBe(2);
    expect((await keyWithAcl.get('/resources/notes', stranger)).body.meta.count).toBeLessThan(2);
  });
});
