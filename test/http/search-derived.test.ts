/** What a search tells of each document that it finds: `meta.distance` and `meta.score`, and orders by them. */
import { describe, expect, test } from 'vitest';
import { defined } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { may } from '../support/people.ts';
import { names } from '../support/rules.ts';

const NEAR = { $near: { $geometry: { type: 'Point', coordinates: [0, 0] } } };
const DEGREE = (6_378_100 * Math.PI) / 180;

const at = (longitude: number) => ({ type: 'Point', coordinates: [longitude, 0] });

const client = await Client.create();
const all = [
  { name: 'far', text: 'tea and coffee', at: at(3), stars: 1, secret: 'coffee coffee coffee' },
  { name: 'near', text: 'coffee', at: at(1), stars: 2 },
  { name: 'twin', text: 'coffee', at: at(1), stars: 3 },
  { name: 'middle', text: 'Coffee, tea', at: at(2), stars: 2 },
  { name: 'other', text: 'tea' },
];
for (const attributes of all) await client.make('places', attributes);

const get = (query: Readonly<Record<string, unknown>>, by = client) =>
  by.get(`/resources/places?${new URLSearchParams(parametersOf(query)).toString()}`);

function parametersOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

const metas = ({ body }: Reply) =>
  body.data.map((resource) => (resource as unknown as { readonly meta?: object }).meta);

const COFFEE = { 'filter[*]': { $text: { $search: 'coffee' } } };

describe('the distance', () => {
  test('is told in meters where fields ask for it', async () => {
    const list = await get({ 'filter[at]': NEAR, 'fields[places]': 'name,$distance' });
    expect(names(list)).toEqual(['near', 'twin', 'middle', 'far']);
    const meters = metas(list).map((meta) => (meta as { readonly distance: number }).distance);
    for (const [index, degrees] of [1, 1, 2, 3].entries()) {
      expect(meters[index]).toBeCloseTo(degrees * DEGREE, 3);
    }
  });

  test('is told in every order, and orders either way beside fields', async () => {
    const asked = { 'filter[at]': NEAR, 'fields[places]': 'name,$distance' };
    const byName = await get({ ...asked, sort: 'name' });
    expect(names(byName)).toEqual(['far', 'middle', 'near', 'twin']);
    expect(metas(byName)[0]).toEqual({ distance: expect.closeTo(3 * DEGREE, 3) as number });
    expect(names(await get({ ...asked, sort: '$distance' }))).toEqual(['near', 'twin', 'middle', 'far']);
    expect(names(await get({ ...asked, sort: '-$distance' }))).toEqual(['far', 'middle', 'near', 'twin']);
    expect(names(await get({ ...asked, sort: '-stars,-$distance' }))).toEqual([
      'twin',
      'middle',
      'near',
      'far',
    ]);
  });

  test('is not told where it is not asked for, or where nothing is near', async () => {
    expect(metas(await get({ 'filter[at]': NEAR, 'fields[places]': 'name' }))).toEqual(
      new Array(4).fill(undefined),
    );
    expect(metas(await get({ 'fields[places]': '$distance,$score' }))).toEqual(new Array(5).fill(undefined));
  });
});

describe('the score', () => {
  test('is told where fields ask for it, and orders: ties by id', async () => {
    const list = await get({ ...COFFEE, sort: '-$score', 'fields[places]': 'name,$score' });
    // The secret of the first is three times the word, after its text.
    expect(names(list)).toEqual(['far', 'near', 'twin', 'middle']);
    expect(metas(list)).toEqual(
      [2 / 3 + 1.75, 1.1, 1.1, 0.75].map((score) => ({ score: expect.closeTo(score, 12) as number })),
    );
    expect(names(await get({ ...COFFEE, sort: '$score' }))).toEqual(['middle', 'near', 'twin', 'far']);
    expect(names(await get({ ...COFFEE, sort: '-$score,-stars' }))).toEqual([
      'far',
      'twin',
      'near',
      'middle',
    ]);
  });

  test('a cursor goes through its order', async () => {
    const first = await get({ ...COFFEE, sort: '-$score', 'page[after]': '', 'page[size]': '1' });
    const visited = names(first);
    for (let { next } = first.body.links; next !== null;) {
      const page = await client.get(next);
      visited.push(...names(page));
      ({ next } = page.body.links);
    }
    expect(visited).toEqual(['far', 'near', 'twin', 'middle']);
  });

  test('does not depend on other documents, nor does the tag', async () => {
    const query = { ...COFFEE, sort: '-$score', 'fields[places]': '$score', 'page[limit]': '2' };
    const { etag, text } = await get(query);
    await client.make('places', { text: 'something else, without the word' });
    const again = await get(query);
    expect([again.text, again.etag]).toEqual([text, etag]);
  });

  test('looks only at fields that the permission shows', async () => {
    const path = '/resources/places(/[0-9a-f]{24})?';
    const fields = { read: ['name', 'text', 'at'] };
    const seeing = await client.withPermissions([may('get', path, { fields })]);
    const list = await get({ ...COFFEE, sort: '-$score', 'fields[places]': 'name,$score' }, seeing);
    expect(names(list)).toEqual(['near', 'twin', 'middle', 'far']);
    expect(metas(list).at(-1)).toEqual({ score: expect.closeTo(2 / 3, 12) as number });
    const near = await get({ 'filter[at]': NEAR, 'fields[places]': '$distance', sort: '-$distance' }, seeing);
    expect(metas(near)).toHaveLength(4);
    const blind = await client.withPermissions([may('get', path, { fields: { read: ['name'] } })]);
    expect(metas(await get({ 'filter[at]': NEAR, 'fields[places]': '$distance' }, blind))).toEqual([]);
  });
});

test('of an aggregate, outputs tell it too', async () => {
  await defined(client, 'places', 'places', [{ filter: {} }]);
  const query = parametersOf({ ...COFFEE, sort: '-$score', 'fields[agt.places]': 'name,$score' });
  const list = await client.get(`/aggregates/agt.places?${new URLSearchParams(query).toString()}`);
  expect(names(list)).toEqual(['far', 'near', 'twin', 'middle']);
  expect(metas(list).at(-1)).toEqual({ score: expect.closeTo(0.75, 12) as number });
});

test.each([
  [{ sort: '-$score' }, '400 invalid-parameter ?sort'],
  [{ sort: '$distance' }, '400 invalid-parameter ?sort'],
  [{ ...COFFEE, sort: '$distance' }, '400 invalid-parameter ?sort'],
  [{ 'filter[at]': NEAR, sort: 'name,-$score' }, '400 invalid-parameter ?sort'],
  [{ ...COFFEE, sort: '$score,-$score' }, '400 invalid-parameter ?sort'],
  [{ ...COFFEE, sort: '$score.x' }, '400 invalid-parameter ?sort'],
])('%j is refused', async (query, fault) => {
  expect(faultsOf(await get(query))).toEqual([fault]);
});
