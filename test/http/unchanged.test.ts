/** Read, change, write back keeps kinds; wrappers say what they say (decisions, section 2). */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { operateWith } from '../support/operations.ts';

const client = await Client.create();

const PATH = '/resources/u';
const OID = 'a'.repeat(24);

/** Makes a document with `a`, PATCHes `a`, and tells the kind of `a` with the text that shows it. */
async function over(stored: string, sent: string): Promise<string> {
  const made = await client.post(PATH, `{"data":{"type":"u","attributes":{"a":${stored}}}}`);
  const { id } = made.body.data;
  const body = `{"data":{"type":"u","id":"${id}","attributes":{"a":${sent}}}}`;
  const changed = await client.patch(`${PATH}/${id}`, body);
  if (changed.status !== 200) return faultsOf(changed).join();
  return `${await kindOf(id, 'a')} ${shownIn(changed.text)}`;
}

function shownIn(text: string): string {
  return /"attributes":\{"a":(.*?)\},"links"/s.exec(text)?.[1] ?? text;
}

const KINDS = ['int', 'long', 'double', 'decimal', 'string', 'date', 'objectId'];

/** The kind of a field of a document that is no array. */
async function kindOf(id: string, field: string): Promise<string> {
  const query = (kind: string) =>
    `filter[*]=${encodeURIComponent(JSON.stringify({ id: { $oid: id }, [field]: { $type: kind } }))}`;
  const counts = await Promise.all(KINDS.map(async (kind) => client.get(`${PATH}?${query(kind)}`)));
  return KINDS.filter((_, index) => counts[index]?.body.meta.count === 1).join();
}

describe('a plain value that an answer shows of the stored one leaves it as it is:', () => {
  test.each([
    [`{"$oid":"${OID}"}`, `"${OID}"`, `objectId "${OID}"`],
    ['{"$numberDecimal":"1.10"}', '1.1', 'decimal 1.10'],
    ['5.0', '5', 'double 5.0'],
  ])('%s, sent %s, is %s', async (stored, sent, expected) => {
    expect(await over(stored, sent)).toBe(expected);
  });
});

describe('a wrapper, and what is not what an answer shows, is stored as sent:', () => {
  test.each([
    ['{"$date":0}', '"1970-01-01"', 'string "1970-01-01"'],
    [`{"$oid":"${OID}"}`, `"${OID.toUpperCase()}"`, `string "${OID.toUpperCase()}"`],
    ['5', '5.0', 'double 5.0'],
    ['{"$numberDecimal":"1E+400"}', '1E+401', '422 invalid-value /data/attributes/a'],
    ['5', '12345678901234567890', '422 invalid-value /data/attributes/a'],
  ])('%s, sent %s, is %s', async (stored, sent, expected) => {
    expect(await over(stored, sent)).toBe(expected);
  });
});

test('members by name, items by place, whatever stands around them', async () => {
  const made = await client.create(PATH, {
    attributes: {
      title: 'x',
      when: [{ $date: 0 }, { $date: 1 }],
      of: { price: { $numberDecimal: '1.50' }, on: { $date: 2 } },
    },
  });
  const { id, attributes } = made.body.data;
  const changed = await client.update(`${PATH}/${id}`, {
    attributes: {
      ...attributes,
      title: 'y',
      when: ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.001Z'],
      of: { on: '1970-01-01T00:00:00.002Z', more: '1970-01-01T00:00:00.002Z', price: 1.5 },
    },
  });
  expect(changed.body.data.attributes?.['title']).toBe('y');
  const kinds = ['when.0', 'when.1', 'when.2', 'of.on', 'of.more', 'of.price'].map((path) =>
    kindOf(id, path),
  );
  expect(await Promise.all(kinds)).toEqual(['date', 'string', 'string', 'date', 'string', 'decimal']);
});

test('so in a list of operations', async () => {
  const { id } = await client.make('u', { a: { $date: 0 }, b: { $numberLong: '7' } });
  const data = { type: 'u', id, attributes: { a: '1970-01-01T00:00:00.000Z', b: 7, c: 1 } };
  const body = { 'atomic:operations': [{ op: 'update', data }] };
  const done = await operateWith(client, body);
  expect(done.status).toBe(200);
  expect([await kindOf(id, 'a'), await kindOf(id, 'b')]).toEqual(['date', 'long']);
});

test('a user who is sent back whole, hash and all, has the same password', async () => {
  const made = await client.create('/users/core.user', {
    attributes: { username: 'whole', password: 'secret1', mail: 'a@b' },
  });
  const { id, attributes } = made.body.data;
  const changed = await client.update(`/users/core.user/${id}`, {
    attributes: { ...attributes, mail: 'c@d' },
  });
  expect([changed.status, changed.body.data.attributes]).toEqual([200, { ...attributes, mail: 'c@d' }]);
  const login = await client.post('/users/core.user.token', undefined, {
    authorization: `Basic ${btoa('whole:secret1')}`,
  });
  expect(login.status).toBe(201);
});
