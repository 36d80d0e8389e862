/** The extended-json profile: answers in wrappers, for those who ask (decisions, section 1). */
import { describe, expect, test } from 'vitest';
import { defined } from '../support/aggregates.ts';
import { ATOMIC_MEDIA_TYPE, Client, MEDIA_TYPE } from '../support/client.ts';
import { operate } from '../support/operations.ts';

const client = await Client.create();
const profile = `${client.url}/profiles/extended-json`;
/** A media type that names the profile. */
const wrapped = `${MEDIA_TYPE};profile="${profile}"`;

const SENT = {
  text: 'x',
  none: null,
  int: 5,
  fraction: 1.5,
  date: { $date: '2026-05-04T10:00:00.000Z' },
  long: { $numberLong: '5' },
  large: { $numberLong: '3000000000' },
  huge: { $numberLong: '9007199254740993' },
  decimal: { $numberDecimal: '1.10' },
  id: { $oid: 'a'.repeat(24) },
};
const ATTRIBUTES: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(Object.entries(SENT).filter(([name]) => name !== 'id')),
  oid: SENT.id,
};
const NESTED = { ...ATTRIBUTES, deep: [{ ...ATTRIBUTES }, [ATTRIBUTES['date']]] };

describe('the wrappers that were sent come back', () => {
  test('on create, read, list, include, related reads, PATCH, and in operations', async () => {
    const accept = { accept: wrapped };
    const made = await client.create('/resources/w', { attributes: NESTED }, accept);
    const { id } = made.body.data;
    const relationships = { to: { data: { type: 'w', id } } };
    const path = `/resources/from/${(await client.make('from', {}, relationships)).id}`;
    const patch = { data: { type: 'w', id, attributes: made.body.data.attributes } };
    const operated = await operate(
      client,
      [
        { op: 'update', ...patch },
        { op: 'add', data: { type: 'w', attributes: NESTED } },
      ],
      { accept: `${ATOMIC_MEDIA_TYPE};profile="${profile}"` },
    );
    const read = await client.get(`/resources/w/${id}`, accept);
    const documents = [
      made.body.data,
      read.body.data,
      (await client.get('/resources/w', accept)).body.data[0],
      (await client.get(`${path}?include=to`, accept)).body.included[0],
      (await client.get(`${path}/to`, accept)).body.data[0],
      (await client.get(`/resources/w/${id}?fields[w]=${Object.keys(NESTED).join()}`, accept)).body.data,
      (await client.patch(`/resources/w/${id}`, patch, accept)).body.data,
      ...operated.results.map(({ data }) => data),
    ];
    expect(documents).toHaveLength(9);
    for (const document of documents) expect(document?.attributes).toEqual(NESTED);
    expect(operated.headers.get('content-type')).toBe(`${ATOMIC_MEDIA_TYPE};profile="${profile}"`);
    expect(read.body.data.id).toBe(id);
  });

  test('on aggregates, where no id and no link is wrapped', async () => {
    const to = { to: { data: { type: 'w', id: (await client.make('w')).id } } };
    const { id } = await client.make('in', ATTRIBUTES, to);
    await defined(client, 'plain', 'in', [{ project: { date: 1, long: 1, decimal: 1, oid: 1, of: '$id' } }]);
    const { date, long, decimal, oid } = ATTRIBUTES;
    const list = await client.get('/aggregates/agt.plain', { accept: wrapped });
    const one = await client.get(`/aggregates/agt.plain/${id}`, { accept: wrapped });
    for (const document of [list.body.data[0], one.body.data]) {
      expect([document?.id, document?.attributes]).toEqual([
        id,
        { date, long, decimal, oid, of: { $oid: id } },
      ]);
    }
    const linked = await client.get(`/resources/in/${id}`, { accept: wrapped });
    expect(linked.body.data.relationships?.['to']?.data).toEqual(to.to.data);
  });

  test('and pipelines and schemas as they were sent, in which $ names are no wrappers', async () => {
    const accept = { accept: wrapped };
    const pipeline = [{ filter: { on: { $gt: { $date: '2026-01-01' } }, n: { $lt: 3000000000 } } }];
    const attributes = { 'input-type': 'in', 'output-type': 'agt.raw', pipeline };
    const path = '/aggregates/core.aggregate';
    const made = await client.create(path, { attributes }, accept);
    expect(made.body.data.attributes).toEqual(attributes);
    const content = { properties: { attributes: { properties: { n: { maximum: 3000000000 } } } } };
    const schema = { type: 'core.schema', attributes: { target: 'q', content, since: { $date: 0 } } };
    const stored = await client.post('/schemas/core.schema', { data: schema }, accept);
    expect(stored.body.data.attributes).toEqual({
      target: 'q',
      content,
      since: { $date: '1970-01-01T00:00:00.000Z' },
    });
  });
});

describe('the profile is applied', () => {
  test.each<[string, () => string, boolean]>([
    ['when it is asked for', () => wrapped, true],
    ['among others', () => `${MEDIA_TYPE};profile="https://example.com/p ${profile}"`, true],
    ['before a plain range', () => `${wrapped}, ${MEDIA_TYPE}, */*;q=0.1`, true],
    ['behind a plain range of the same weight', () => `${MEDIA_TYPE}, ${wrapped}`, true],
    ['but not where a plain range weighs more', () => `${wrapped};q=0.5, ${MEDIA_TYPE}`, false],
    ['nor with a weight of zero', () => `${wrapped};q=0, ${MEDIA_TYPE}`, false],
    ['nor an unknown one', () => `${MEDIA_TYPE};profile="${profile}-x"`, false],
    [
      'nor one of another service',
      () => `${MEDIA_TYPE};profile="https://x.test/profiles/extended-json"`,
      false,
    ],
    ['nor for another media type', () => `text/plain;profile="${profile}", ${MEDIA_TYPE}`, false],
    ['nor unasked', () => '*/*', false],
  ])('%s', async (_, accept, applied) => {
    const { id } = await client.make('w', { a: { $date: 0 } });
    const answer = await client.get(`/resources/w/${id}`, { accept: accept() });
    const iso = '1970-01-01T00:00:00.000Z';
    expect([answer.headers.get('content-type'), answer.body.data.attributes]).toEqual(
      applied ? [wrapped, { a: { $date: iso } }] : [MEDIA_TYPE, { a: iso }],
    );
    expect(answer.headers.get('vary')).toMatch(/\bAccept\b/);
  });

  test('and named in no error', async () => {
    const answer = await client.get('/resources/w?x=1', { accept: wrapped });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, MEDIA_TYPE]);
  });

  test('and may be named by a body', async () => {
    const data = { type: 'w', attributes: { a: { $date: 0 } } };
    expect((await client.post('/resources/w', { data }, { 'content-type': wrapped })).status).toBe(201);
  });
});

test('an answer comes back as it was and is stored as it was, doubles with integral values too', async () => {
  const made = await client.post(
    '/resources/w',
    '{"data":{"type":"w","attributes":{"a":5.0,"b":-0.0,"c":1e20}}}',
    {
      accept: wrapped,
    },
  );
  expect(made.text).toContain('"attributes":{"a":5.0,"b":-0.0,"c":100000000000000000000.0}');
  const { id } = made.body.data;
  const again = await client.post('/resources/w', `{"data":${made.text.slice(8).replace(/"id":"\w+",/, '')}`);
  expect(again.status).toBe(201);
  const read = await client.get(`/resources/w/${again.body.data.id}`);
  const first = await client.get(`/resources/w/${id}`);
  const attributes = /"attributes":\{.*?\}/;
  expect(attributes.exec(read.text)?.[0]).toBe(attributes.exec(first.text)?.[0]);
});

describe('the tags of the two representations', () => {
  test.each([
    ['a document', (id: string) => `/resources/w/${id}`],
    ['a list', (id: string) => `/resources/w?filter[id]={"$oid":"${id}"}`],
    ['an include', (id: string) => `/resources/w/${id}?include=x`],
    ['an aggregate', () => '/aggregates/agt.tagged'],
  ])('differ, and a read with the other one is no 304: %s', async (name, pathOf) => {
    const { id } = await client.make('w', { a: { $date: 0 } });
    if (name === 'an aggregate') await defined(client, 'tagged', 'w', [{ limit: 1 }]);
    const [plain, other] = [{ accept: MEDIA_TYPE }, { accept: wrapped }];
    const etags = [(await client.get(pathOf(id), plain)).etag, (await client.get(pathOf(id), other)).etag];
    expect(etags[0]).not.toBe(etags[1]);
    const statuses = await Promise.all(
      [plain, other].flatMap((accept) =>
        etags.map(
          async (etag) => (await client.get(pathOf(id), { ...accept, 'if-none-match': etag })).status,
        ),
      ),
    );
    expect(statuses).toEqual([304, 200, 200, 304]);
  });

  test('are good for If-Match, both of them', async () => {
    const { id } = await client.make('w', { a: 1 });
    const path = `/resources/w/${id}`;
    const data = { type: 'w', id, attributes: { a: 2 } };
    for (const accept of [wrapped, MEDIA_TYPE]) {
      const { etag } = await client.get(path, { accept });
      expect((await client.patch(path, { data }, { 'if-match': etag })).status).toBe(204);
      expect((await client.patch(path, { data }, { 'if-match': etag })).status).toBe(412);
    }
  });
});

describe('the page at the address of the profile', () => {
  test('tells the rules, to anybody', async () => {
    const answer = await fetch(profile, { headers: { accept: 'text/html' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, MEDIA_TYPE]);
    const text = await answer.text();
    for (const name of ['$date', '$numberLong', '$numberDecimal', '$oid']) expect(text).toContain(name);
  });

  test('can only be read', async () => {
    const answer = await fetch(profile, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
