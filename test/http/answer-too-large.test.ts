/** An answer has a bound (limit `answer`): what would pass it is refused before it is made, and says what helps. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { defined } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

/** Of one document's text: as much as a document may nearly have. */
const SIZE = 1_000_000;
/** So many fit one answer. */
const FIT = Math.floor(LIMITS.answer / (SIZE + 1_000));

const client = await Client.create();
const text = 'x'.repeat(SIZE);
const links = [];
for (let n = 0; n < FIT + 2; n += 1) {
  links.push(await client.makeUnseen('heavy', { n, text }));
}
const hub = (
  await client.make('hubs', undefined, { some: { data: links.slice(0, FIT) }, all: { data: links } })
).id;
await defined(client, 'heavy', 'heavy', [{ filter: { n: { $gte: 0 } } }]);

const refused = (reply: Reply) => {
  expect(faultsOf(reply).map((fault) => fault.split(' ', 2).join(' '))).toEqual(['400 answer-too-large']);
  expect(reply.body.errors[0]?.detail).toMatch(/\w/);
};

describe('a list', () => {
  test.each(['', '&sort=-n', '&filter[n]={"$gte":0}', '&fields[heavy]=n'])(
    'of documents that are too large together is refused: %s',
    async (query) => {
      refused(await client.get(`/resources/heavy?page[limit]=${FIT + 1}${query}`));
      refused(await client.get(`/resources/heavy?page[limit]=100${query}`));
    },
  );

  test.each(['', '&sort=-n', '&filter[n]={"$gte":0}'])('of as many as fit is answered: %s', async (query) => {
    const { status, body } = await client.get(`/resources/heavy?page[limit]=${FIT}${query}`);
    expect([status, status === 200 && body.data.length]).toEqual([200, FIT]);
    expect(body.meta.count).toBe(FIT + 2);
  });

  test('of as many as fit is answered after a cursor, where one more is read to tell that it follows', async () => {
    const first = await client.get('/resources/heavy?page[size]=1&page[after]=');
    const address = (first.body.links.next ?? '').replace(/size(\]|%5D)=1\b/, `size$1=${FIT}`);
    const { status, body } = await client.get(address);
    expect([status, status === 200 && body.data.length]).toEqual([200, FIT]);
    expect(body.links.next).not.toBeNull();
  });
});

test('a list of texts whose characters take two bytes each is refused by its bytes', async () => {
  const text = 'ж'.repeat(400_000);
  const fit = Math.floor(LIMITS.answer / (2 * text.length + 1_000));
  for (let n = 0; n <= fit; n += 1) await client.make('wide', { text });
  refused(await client.get(`/resources/wide?page[limit]=${fit + 1}`));
  expect((await client.get(`/resources/wide?page[limit]=${fit}`)).status).toBe(200);
});

test.each<[string, (n: number) => unknown]>([
  ['texts', (n) => text + String(n)],
  ['names in objects', (n) => ({ [text + String(n)]: n })],
])('a page far down is refused where what it is sorted by is too large: %s', async (_, by) => {
  const type = `sorted${crypto.randomUUID().slice(0, 8)}`;
  for (let n = 0; n < 18; n += 1) await client.makeUnseen(type, { n, by: by(n) });
  const at = (offset: number) =>
    client.get(`/resources/${type}?sort=by&fields[${type}]=n&page[limit]=1&page[offset]=${offset}`);
  refused(await at(17));
  expect((await at(1)).status).toBe(200);
});

describe('an include', () => {
  test('of documents that are too large together is refused', async () => {
    const reply = await client.get(`/resources/hubs/${hub}?include=all`);
    expect(reply.status).toBe(400);
  });

  test('of as many as fit is answered', async () => {
    const { status, body } = await client.get(`/resources/hubs/${hub}?include=some`);
    expect([status, body.included.length]).toEqual([200, FIT]);
  });
});

test('related documents that are too large together are refused', async () => {
  expect((await client.get(`/resources/hubs/${hub}/all`)).status).toBe(400);
});

test('aggregate documents that are too large together are refused', async () => {
  refused(await client.get('/aggregates/agt.heavy?page[limit]=100'));
  expect((await client.get('/aggregates/agt.heavy?page[limit]=1')).status).toBe(200);
});
