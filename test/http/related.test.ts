/** The documents that a relationship leads to, at their endpoint (spec, Relationship endpoints; decisions, 1). */
import { describe, expect, test } from 'vitest';
import { Client, link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const client = await Client.create();
/** Two documents to link to. */
const a = link(await client.make('people', { name: 'A' }));
const c = link(await client.make('companies', { name: 'C' }));

describe('GET of the related documents', () => {
  test.each([
    ['to-one', { data: () => a }, ['A']],
    ['to-many, in the order of the links', { data: () => [c, a] }, ['C', 'A']],
    ['null', { data: () => null }, []],
    ['no links', { data: () => [] }, []],
  ])('answers an array for %s', async (_, { data }, names) => {
    const { id } = await client.make('articles', undefined, { r: { data: data() } });
    const related = await client.get(`/resources/articles/${id}/r`);
    expect(related.status).toBe(200);
    expect(Object.keys(related.body)).toEqual(['data', 'links']);
    expect(related.body.links).toEqual({ self: `${client.url}/resources/articles/${id}/r` });
    expect(related.body.data.map(({ attributes }) => attributes?.['name'])).toEqual(names);
  });

  test('shows whole documents at their own addresses', async () => {
    const { id } = await client.make('articles', undefined, { r: { data: a } });
    const related = await client.get(`/resources/articles/${id}/r`);
    const itself = await client.get(`/resources/people/${a.id}`);
    expect(related.body.data).toEqual([itself.body.data]);
  });

  test('passes over documents that were deleted', async () => {
    const { type, id } = await client.make('people');
    const owner = await client.make('articles', undefined, { r: { data: [a, { type, id }] } });
    await client.delete(`/resources/people/${id}`);
    const related = await client.get(`/resources/articles/${owner.id}/r`);
    expect(related.body.data.map((each) => each.id)).toEqual([a.id]);
  });

  test('of a name that the document lacks, or of an attribute, is 404', async () => {
    const { id } = await client.make('articles', { title: 'T' });
    expect(faultsOf(await client.get(`/resources/articles/${id}/r`))).toEqual(['404 relationship-not-found']);
    expect(faultsOf(await client.get(`/resources/articles/${id}/title`))).toEqual([
      '404 relationship-not-found',
    ]);
  });

  test('takes include and fields', async () => {
    const boss = await client.make('people', { name: 'Boss', age: 50 });
    const worker = await client.make(
      'people',
      { name: 'W', age: 20 },
      { boss: { data: { type: 'people', id: boss.id } } },
    );
    const { id } = await client.make('articles', undefined, {
      r: { data: { type: 'people', id: worker.id } },
    });
    const related = await client.get(`/resources/articles/${id}/r?include=boss&fields[people]=name`);
    expect(related.body.data.map(({ attributes }) => attributes)).toEqual([{ name: 'W' }]);
    expect(related.body.included.map(({ attributes }) => attributes)).toEqual([{ name: 'Boss' }]);
  });
});
