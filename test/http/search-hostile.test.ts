/** Filters that mean harm, through the API: refused or answered, while a second client on the same type is served. */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { HOSTILE_FILTERS } from '../support/filter-hostile.ts';
import { some } from '../support/long.ts';
import { crowd } from '../support/crowd.ts';
import { listPath, searchPath } from '../support/search.ts';

let id = '';
const client = await Client.create();
[id = ''] = await crowd(client, 'prey', [
  '{"a":[{"a":[1,2,3]},"x"],"s":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}',
]);
await crowd(client, 'prey', 300, (index) => ({ a: index, s: `${'a'.repeat(500)}!` }));

describe('a hostile filter', () => {
  test.each(some(HOSTILE_FILTERS, 12, 'whole').map((each) => [each.name, each] as const))(
    '%s',
    async (_name, { parameters, outcome }) => {
      const [reply, other] = await Promise.all([
        client.get(listPath('prey', parameters)),
        client.get(`/resources/prey/${id}`),
      ]);
      // The runtime itself refuses addresses beyond 64 KiB.
      expect([200, 400, 414, 431]).toContain(reply.status);
      if (outcome === 'refused') expect(reply.status).not.toBe(200);
      if (reply.status === 400) expect(reply.body.errors[0]?.code).toMatch(/^invalid-/);
      expect(other.status).toBe(200);
    },
  );

  test.each([
    ['a broken percent sign', 'filter[*]=%'],
    ['bytes that are no UTF-8', 'filter[*]=%7B%22a%22%3A%22%FF%FE%22%7D'],
    ['a lone surrogate, encoded', 'filter[*]=%ED%A0%80'],
  ])('%s', async (_name, query) => {
    expect((await client.get(`/resources/prey?${query}`)).status).toBe(400);
  });

  test('patterns that would take too much work over all documents are refused', async () => {
    await crowd(client, 'long', 40, () => ({ s: 'ab'.repeat(100_000) }));
    const pattern = '([ab]{1,100}){5}[^ab]';
    const reply = await client.get(searchPath('long', { s: { $regex: pattern } }));
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0]?.code).toBe('invalid-filter');
    expect(reply.body.errors[0]?.detail).toContain(pattern);
  });

  test.each([
    ['nested quantifiers with a backreference', '^(?:(a+)+\\1)+$'],
    ['an exponential lookahead', '^(?:(?=(?:a|aa)*$)a|aa)*[bc]'],
    ['an exponential lookbehind', '(?<=^(?:a{1,20}){1,20})(?!.)b|(?:a?){30}\\K(?:a+)+$'],
    ['recursion into two', '^(a(?1)?(?1)?)+[bc]'],
    ['recursion without end', '(?R)|a'],
  ])('%s is refused, and names itself, while others are served', async (_, pattern) => {
    const [reply, other] = await Promise.all([
      client.get(searchPath('prey', { s: { $regex: pattern } })),
      client.get(`/resources/prey/${id}`),
    ]);
    expect(other.status).toBe(200);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0]).toMatchObject({ code: 'invalid-filter', source: { parameter: 'filter' } });
    expect(reply.body.errors[0]?.detail).toContain(JSON.stringify(pattern));
  });
});
