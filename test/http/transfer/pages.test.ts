/** The endpoints of exports and imports: pages, and what is refused (docs/moving.md). */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID, operator } from '../../support/client.ts';
import { faultsOf } from '../../support/faults.ts';
import { callOperator, exported, firstPage, imported, nextOf } from '../../support/transfer.ts';

const client = await Client.create();
const { application } = client;
await client.make('page', { n: 1 });
await client.make('page', { n: 2 });

const id = (n: number) => n.toString(16).padStart(24, '0');
const line = (n: number, more: object = {}, type = 'line') => JSON.stringify({ type, id: id(n), ...more });
/** Code, place and line of each error. */
const refusals = async (type: string, ...lines: readonly string[]) =>
  (await imported(application, type, lines)).body.errors.map(
    ({ status, code, source, meta }) =>
      `${String(meta?.['line'])}: ${status} ` +
      `${code === 'line-refused' ? String(meta?.['code']) : code} ${source?.pointer ?? ''}`,
  );

describe('a page of an export', () => {
  test('is lines of JSON, which no cache keeps, and tells where the next one is', async () => {
    const page = await firstPage(application, 'page', 1);
    expect(page.headers.get('content-type')).toBe('application/x-ndjson');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).toMatch(/^\{.*\}\n$/);
    const next = nextOf(page) ?? expect.fail();
    const last = await callOperator('GET', next);
    expect([last.status, nextOf(last)]).toEqual([200, null]);
    expect(page.text + last.text).toBe(await exported(application, 'page'));
    // It may not have arrived.
    expect((await callOperator('GET', next)).text).toBe(last.text);
  });

  test('can be read again, also when the next one is read', async () => {
    await client.make('again', { n: 1 });
    await client.make('again', { n: 2 });
    await client.make('again', { n: 3 });
    const second = nextOf(await firstPage(application, 'again', 1)) ?? expect.fail();
    const read = await callOperator('GET', second);
    expect((await callOperator('GET', second)).text).toBe(read.text);
    await callOperator('GET', nextOf(read) ?? expect.fail());
    expect((await callOperator('GET', second)).text).toBe(read.text);
  });

  test('of a type without documents has no lines', async () => {
    expect((await firstPage(application, 'nothing')).text).toBe('');
  });

  test('ends when too many exports of the type have begun after it', async () => {
    const first = nextOf(await firstPage(application, 'page', 1)) ?? expect.fail();
    for (let n = 0; n < 4; n += 1) await firstPage(application, 'page', 1);
    expect((await callOperator('GET', first)).status).toBe(410);
  });

  test.each([
    ['without page[after]', 'page', '', '400 invalid-parameter ?page[after]'],
    ['after what is no mark', 'page', '?page[after]=x', '400 invalid-parameter ?page[after]'],
    ['after a mark of nobody', 'page', `?page[after]=${'0'.repeat(16)}-1`, '410 export-ended ?page[after]'],
    ['of tokens', 'core.user.token', '?page[after]=', '404 not-found'],
    ['of the registry of types', 'core.type-registry', '?page[after]=', '404 not-found'],
    ['of outputs', 'agt.x', '?page[after]=', '404 not-found'],
  ])('is refused %s', async (_, type, query, fault) => {
    expect(faultsOf(await callOperator('GET', `${application}/documents/${type}${query}`))).toEqual([fault]);
  });

  test('is there for the operator alone, and for an application that there is', async () => {
    const path = `/applications/core.application/${application}/documents/page?page[after]=`;
    expect((await client.get(path)).status).toBe(401);
    expect((await firstPage(NO_ID, 'page')).status).toBe(404);
    expect((await client.post(path)).status).toBe(401);
    expect((await imported(NO_ID, 'page', [line(1)])).status).toBe(404);
  });
});

describe('an import', () => {
  test('is all or nothing, and tells every refused line with its number, reason and place', async () => {
    const user = { type: 'core.user', id: NO_ID };
    expect(
      await refusals(
        'line',
        line(1, { attributes: { ok: true } }),
        '{"type":"line"',
        line(3, { attributes: { 'a.b': 1, x: { $strange: 1 } } }),
        line(4, {}, 'other'),
        '[]',
        JSON.stringify({ type: 'line', id: 'short' }),
        line(7, { relationships: { to: { data: user }, own: { data: { type: 'line', id: id(1) } } } }),
        line(8, { meta: { created: 'yesterday', acl: { read: 'all', own: '*' }, creator: 5 } }),
        line(9, { meta: { strange: 1 } }),
        line(10, { attributes: 5 }),
        line(1, { attributes: { ok: false } }),
        line(12, { meta: { deleted: true, readers: 5 } }),
        line(13, { meta: { deleted: 'true' } }),
      ),
    ).toEqual([
      '2: 422 invalid-json ',
      '3: 422 invalid-field-name /attributes/a.b',
      '3: 422 invalid-value /attributes/x',
      '4: 422 type-conflict /type',
      '5: 422 invalid-body ',
      '6: 422 invalid-body /id',
      '7: 422 link-not-found /relationships/to/data',
      '8: 422 invalid-body /meta/created',
      '8: 422 invalid-body /meta/creator',
      '8: 422 invalid-attribute /meta/acl/read',
      '9: 422 invalid-body /meta/strange',
      '10: 422 invalid-body /attributes',
      '11: 422 id-conflict /id',
      '12: 422 invalid-body /meta/readers',
      '13: 422 invalid-body /meta/deleted',
    ]);
    expect(await exported(application, 'line')).toBe('');
  });

  test('takes links to what is there, was there, comes with it, or is said to come', async () => {
    const { id: there } = await client.make('target');
    const { id: gone } = await client.make('target');
    await client.delete(`/resources/target/${gone}`);
    const to = (target: string, type = 'target') => ({
      relationships: { to: { data: { type, id: target } } },
    });
    const lines = [
      line(1, to(there), 'linking'),
      line(2, to(gone), 'linking'),
      line(3, to(id(4), 'linking'), 'linking'),
      line(4, to(id(9)), 'linking'),
    ];
    expect(await refusals('linking', ...lines)).toEqual(['4: 422 link-not-found /relationships/to/data']);
    const expecting = JSON.stringify({ import: { expects: [`target ${id(9)}`] } });
    expect((await imported(application, 'linking', [expecting, ...lines])).body.meta).toMatchObject({
      stored: 4,
      unchanged: 0,
    });
  });

  test('checks schemas and links, unless it is said not to', async () => {
    const attributes = { target: 'strict', content: { required: ['attributes'] } };
    await client.create('/schemas/core.schema', { attributes });
    const lines = [line(1, { relationships: { to: { data: { type: 'strict', id: NO_ID } } } }, 'strict')];
    expect(await refusals('strict', line(2, {}, 'strict'))).toEqual(['1: 422 schema-violation ']);
    expect(await refusals('strict', ...lines)).toEqual(['1: 422 link-not-found /relationships/to/data']);
    const taken = await imported(application, 'strict', ['{"import":{"unchecked":true}}', ...lines]);
    expect(taken.body.meta).toMatchObject({ stored: 1, unchanged: 0 });
  });

  test.each([
    '{"import":{"uncheked":true}}',
    '{"import":{"unchecked":"true"}}',
    '{"import":{"expects":"target 1"}}',
    '{"import":{"expects":[1]}}',
    '{"import":[]}',
    '{"import":{},"unchecked":true}',
    '{"import":{"unchecked":true}',
  ])('refuses the first line %s, which would have no effect', async (first) => {
    expect(await refusals('unsaid', first, line(1, {}, 'unsaid'))).toEqual(['1: 422 invalid-body /import']);
    expect(await exported(application, 'unsaid')).toBe('');
  });

  test('never changes what is there, nor makes again what was deleted', async () => {
    const { id: there } = await client.make('kept', { n: 1 });
    const { id: gone } = await client.make('kept', { n: 2 });
    await client.delete(`/resources/kept/${gone}`);
    const before = await exported(application, 'kept');
    const lines = [
      JSON.stringify({ type: 'kept', id: there, attributes: { n: 5 } }),
      JSON.stringify({ type: 'kept', id: there, attributes: { n: 1 }, meta: { acl: { read: '*' } } }),
      JSON.stringify({ type: 'kept', id: gone, attributes: { n: 2 } }),
      JSON.stringify({ type: 'kept', id: there, meta: { deleted: true } }),
    ];
    expect(await refusals('kept', ...lines)).toEqual([1, 2, 3, 4].map((n) => `${n}: 422 id-conflict /id`));
    const same = JSON.stringify({ type: 'kept', id: there.toUpperCase(), attributes: { n: 1 } });
    expect((await imported(application, 'kept', [same])).body.meta).toEqual({
      stored: 0,
      unchanged: 1,
      made: [],
    });
    expect(await exported(application, 'kept')).toBe(before);
  });

  test('gives ids after those that it has brought, but not after ids of the future', async () => {
    const now = Math.floor(Date.now() / 1000).toString(16);
    await imported(application, 'future', [line(1, {}, 'future').replace(id(1), `${now}${'f'.repeat(16)}`)]);
    const { id: one } = await client.make('future');
    await imported(application, 'future', [line(1, {}, 'future').replace(id(1), 'f'.repeat(24))]);
    const { id: two } = await client.make('future');
    expect([one > `${now}${'f'.repeat(16)}`, two > one, two < 'f'.repeat(24)]).toEqual([true, true, true]);
  });

  test.each([
    [
      'a user with a password that is no hash',
      'core.user',
      { username: 'abc', password: 'secret' },
      'password',
    ],
    ['a user without a name', 'core.user', { password: '$scrypt$ln=14,r=8,p=5$a$b' }, 'username'],
    ['a key with its secret', 'core.api-key', { name: 'x', permissions: [], 'secure-id': 'x' }, 'secure-id'],
    ['a schema that is none', 'core.schema', { target: 'a', content: { type: 5 } }, 'content/type'],
  ])('refuses %s', async (_, type, attributes, at) => {
    const [refusal = ''] = await refusals(type, line(1, { attributes }, type));
    expect(refusal).toMatch(new RegExp(`^1: 422 [a-z-]+ /attributes/${at}$`));
  });

  test('takes keys, schemas and settings one at a time', async () => {
    const reply = await imported(application, 'core.schema', [line(1), line(2)]);
    expect(faultsOf(reply)).toEqual(['413 list-too-large']);
  });

  test.each([
    ['no lines', '', '400 missing-body'],
    ['no JSON', '\u0000', '422 line-refused'],
  ])('of %s is refused', async (_, body, fault) => {
    expect(faultsOf(await imported(application, 'line', body))[0]).toContain(fault);
  });

  test('is refused as JSON:API', async () => {
    const path = `/applications/core.application/${application}/documents/line`;
    const { authorization } = { authorization: `Bearer ${'o'.repeat(40)}` };
    expect((await client.post(path, {}, { authorization })).status).toBe(415);
  });

  test('makes no application again that was deleted', async () => {
    const { id: gone } = await operator().create('gone');
    await operator().delete(gone);
    const again = JSON.stringify({ type: 'core.application', id: gone, attributes: { name: 'gone' } });
    expect(faultsOf(await imported(gone, 'core.application', [again]))).toEqual(['422 line-refused /id']);
    expect(faultsOf(await imported(application, 'core.application', [again]))).toEqual([
      '422 line-refused /id',
    ]);
  });
});
