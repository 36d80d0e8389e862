/** `"unless": "sent"` in `set`: fields that the service computes where a write does not name them, as a second name. */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { operate } from '../support/operations.ts';
import { resettle, settle } from '../support/type-settings.ts';

const client = await Client.create();
const of = (name: string) => ({ value: `$${name}`, unless: 'sent' });
await settle(client, { name: 'articles', set: { headline: of('title'), title: of('headline') } });

const changed = async (id: string, data: object) => {
  const reply = await client.update(`/resources/articles/${id}`, data);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.attributes ?? {};
};

describe('two names of a field stay the same', () => {
  test.each(['title', 'headline'])('whoever creates with %s', async (name) => {
    expect((await client.make('articles', { [name]: 'A' })).attributes).toEqual({
      title: 'A',
      headline: 'A',
    });
  });

  test.each<[string, object, object]>([
    ['the one', { attributes: { title: 'B' } }, { title: 'B', headline: 'B' }],
    ['the other', { attributes: { headline: 'B' } }, { title: 'B', headline: 'B' }],
    ['neither', { attributes: { n: 1 } }, { title: 'A', headline: 'A', n: 1 }],
    [
      'both, who knows what it does',
      { attributes: { title: 'B', headline: 'C' } },
      { title: 'B', headline: 'C' },
    ],
    [
      'the one by an operator',
      { meta: { update: { $push: { title: 'B' } } } },
      { title: ['A', 'B'], headline: ['A', 'B'] },
    ],
    ['the one away', { meta: { update: { $unset: { title: '' } } } }, {}],
    ['the other away', { meta: { update: { $unset: { headline: '' } } } }, {}],
  ])('whoever changes %s', async (what, change, after) => {
    const title = what.includes('operator') ? ['A'] : 'A';
    const { id } = await client.make('articles', { title });
    expect(await changed(id, change)).toEqual(after);
  });

  test('in lists of operations and in changes of many', async () => {
    const { id } = await client.make('articles', { title: 'many' });
    const data = { type: 'articles', id, attributes: { headline: 'listed' } };
    await operate(client, [{ op: 'update', data }]);
    expect((await client.get(`/resources/articles/${id}`)).body.data.attributes).toEqual({
      title: 'listed',
      headline: 'listed',
    });
    await client.patch('/resources/articles?filter[title]="listed"', {
      data: { type: 'articles', attributes: { title: 'bulk' } },
      meta: { limit: 9 },
    });
    expect((await client.get(`/resources/articles/${id}`)).body.data.attributes).toEqual({
      title: 'bulk',
      headline: 'bulk',
    });
  });
});

test('a document that was there gets it by any write', async () => {
  const { id } = await client.make('notes', { text: 'A' });
  await settle(client, { name: 'notes', set: { body: { value: '$text', unless: 'sent' } } });
  const { text } = await client.update(`/resources/notes/${id}`, {});
  expect(text).toContain('"body":"A"');
  await resettle(client, 'notes', { set: null });
});
