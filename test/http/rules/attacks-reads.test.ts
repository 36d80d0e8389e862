/**
 * Attacks on rules by reading: the ways by which hidden fields and documents of other services came out, by filters,
 * orders, includes, addresses and pipelines. Two types differ only in what is hidden: answers about one must be the
 * answers about the other.
 */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID } from '../../support/client.ts';
import { makeSides, SEEN, toldOfBoth, WHERE, type Side } from '../../support/two-sides.ts';
import { may } from '../../support/people.ts';

const PIPELINES: Readonly<Record<string, readonly object[]>> = {
  root: [{ project: { id: '$name', all: '$$ROOT', current: '$$CURRENT' } }],
  entries: [{ project: { id: '$name', all: { $objectToArray: '$$ROOT' } } }],
  field: [{ project: { id: '$name', x: { $getField: { field: 'salary', input: '$$ROOT' } } } }],
  merged: [{ project: { id: '$name', x: { $mergeObjects: ['$$ROOT', { b: 1 }] } } }],
  kinds: [{ project: { id: '$name', x: { $type: '$salary' }, y: { $type: '$boss' } } }],
  dotted: [{ project: { id: '$name', x: '$pay.amount', y: '$pay.parts.n', z: '$boss.id' } }],
  grouped: [{ group: { id: '$salary', n: { $sum: 1 } } }, { project: { id: { $toString: '$n' } } }],
  summed: [{ group: { id: null, all: { $push: '$$ROOT' }, sum: { $sum: '$salary' } } }],
  filtered: [{ filter: { salary: { $gt: 0 } } }, { project: { id: '$name' } }],
  searched: [{ filter: { $text: { $search: 'secretive' } } }, { project: { id: '$name' } }],
  late: [{ skip: 0 }, { filter: { 'pay.amount': 7 } }, { project: { id: '$name' } }],
  sorted: [{ sort: '-salary,name' }, { project: { id: '$name' } }],
  unwound: [{ unwind: '$grades' }, { project: { id: { $toString: '$grades' } } }],
  linked: [
    { project: { id: '$name', boss: '$boss' } },
    { output: { attributes: [], relationships: ['boss'] } },
  ],
  known: [
    {
      project: {
        id: '$name',
        x: { $getField: { field: { $literal: '$updated' }, input: '$$ROOT' } },
        y: { $ifNull: ['$$updated', 'none'] },
      },
    },
  ],
};

const filter = (condition: unknown) => `filter[*]=${encodeURIComponent(JSON.stringify(condition))}`;
const square = (a: number, b: number) => ({
  $geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [a, a],
        [b, a],
        [b, b],
        [a, b],
        [a, a],
      ],
    ],
  },
});
const point = { $geometry: { type: 'Point', coordinates: [0, 0] } };

/** Queries of the list. */
const QUERIES: readonly (readonly [title: string, query: (side: Side) => string])[] = [
  ['equality', () => filter({ salary: 5 })],
  ['a range', () => filter({ salary: { $gt: 6 } })],
  ['a denial', () => filter({ salary: { $ne: 5 } })],
  ['a dotted path', () => filter({ 'pay.amount': 7 })],
  ['a path through an array', () => filter({ 'pay.parts.n': 1 })],
  ['a path with a position', () => filter({ 'pay.parts.0.n': 1 })],
  ['$elemMatch', () => filter({ 'pay.parts': { $elemMatch: { n: 1 } } })],
  ['$elemMatch of values', () => filter({ grades: { $elemMatch: { $gt: 2 } } })],
  ['$or', () => filter({ $or: [{ name: 'tom' }, { salary: 5 }] })],
  ['$nor', () => filter({ $nor: [{ salary: 5 }] })],
  ['$not', () => filter({ salary: { $not: { $gt: 6 } } })],
  [
    'nests',
    () => filter({ $and: [{ $or: [{ $nor: [{ $and: [{ notes: /./.source }, { salary: 5 }] }] }] }] }),
  ],
  ['$in', () => filter({ salary: { $in: [5, 6] } })],
  ['$nin', () => filter({ salary: { $nin: [5, 6] } })],
  ['$all', () => filter({ grades: { $all: [1, 2] } })],
  ['$size', () => filter({ grades: { $size: 2 } })],
  ['$type', () => filter({ salary: { $type: 'int' } })],
  ['$mod', () => filter({ salary: { $mod: [10, 5] } })],
  ['$exists', () => filter({ 'pay.parts.1': { $exists: true } })],
  ['$regex', () => filter({ notes: { $regex: '^sec' } })],
  ['$regex within $in', () => filter({ notes: { $in: [{ $regex: '^sec' }] } })],
  ['$geoWithin', () => filter({ home: { $geoWithin: square(-1, 1) } })],
  ['$geoIntersects', () => filter({ home: { $geoIntersects: square(-1, 1) } })],
  ['$near', () => filter({ home: { $near: { ...point, $maxDistance: 10_000 } } })],
  ['$text', () => filter({ $text: { $search: 'secretive' } })],
  ['a phrase', () => filter({ $text: { $search: '"secretive words"' } })],
  ['an excluded word', () => filter({ $text: { $search: 'eva boss lowly -secretive' } })],
  ['a link', (side) => filter({ 'boss.id': { $oid: side.boss.id } })],
  ['the type of a link', () => filter({ 'boss.type': { $exists: true } })],
  ['a date', () => filter({ hired: { $lt: { $date: '2005-01-01' } } })],
  ['a decimal', () => filter({ big: { $numberDecimal: '99' } })],
  ['the creator', () => filter({ '$creator.id': { $exists: true } })],
  ['the time of the change', () => filter({ $updated: { $gt: { $date: '2001-01-01' } } })],
  ['the id of a hidden document', (side) => filter({ id: { $oid: side.draft.id } })],
  ['what links to a hidden one', (side) => filter({ 'friend.id': { $oid: side.draft.id } })],
  ['a hidden document', () => filter({ name: { $in: ['plan', 'sketch'] } })],
  ['a filter of one field', () => 'filter[salary]=5'],
  ['an encoded name', () => 'filter%5Bs%61lary%5D=5'],
  ['a name encoded twice', () => 'filter%255Bsalary%255D=5'],
  ['a name with a blank', () => 'filter[salary%20]=5'],
  ['an order', () => 'sort=salary'],
  ['an order downwards', () => 'sort=-salary'],
  ['an order by a dotted path', () => 'sort=-pay.amount,name'],
  ['an order by a link', () => 'sort=-boss.id'],
  ['an order by a date', () => 'sort=hired'],
  ['an order by distance', () => `${filter({ home: { $near: point } })}&sort=-salary`],
  ['pages in an order', () => 'sort=-salary&page[after]=&page[size]=1'],
  ['fields by name', (side) => `fields[${side.type}]=salary,boss,name,$creator,$updated`],
  ['hidden fields alone', (side) => `fields[${side.type}]=salary,pay`],
  ['a hidden include', () => 'include=boss'],
  ['an include through a hidden one', () => 'include=boss.friend,boss.boss'],
  ['an include through a seen one', () => 'include=friend.boss'],
  ['the last page', () => 'page[number]=4&page[size]=1'],
  ['far beyond', () => 'page[offset]=1000'],
  ['an empty list', () => filter({ $nor: [{}] })],
];

/** Requests about one document, seen or not. */
const ADDRESSES: readonly (readonly [
  title: string,
  path: (base: string, id: string, side: Side) => string,
])[] = [
  ['it', (base, id) => `${base}/${id}`],
  ['its hidden fields', (base, id, { type }) => `${base}/${id}?fields[${type}]=salary,$updated`],
  ['an include', (base, id) => `${base}/${id}?include=boss,friend`],
  ['a hidden relationship', (base, id) => `${base}/${id}/relationships/boss`],
  ['what it leads to', (base, id) => `${base}/${id}/boss`],
  ['a hidden attribute as one', (base, id) => `${base}/${id}/relationships/salary`],
  ['what an attribute leads to', (base, id) => `${base}/${id}/salary`],
  ['a name that nothing has', (base, id) => `${base}/${id}/relationships/nothing`],
  ['an encoded relationship', (base, id) => `${base}/${id}/relationships/%62oss`],
  ['an encoded id', (base, id) => `${base}/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`],
  ['an id in capitals', (base, id) => `${base}/${id.toUpperCase()}`],
  ['an empty segment', (base, id) => `${base}//${id}`],
  ['a dot segment', (base, id) => `${base}/./${id}`],
];

const trusted = await Client.create();
const sides = await makeSides(trusted);
for (const { type } of sides) {
  for (const [name, pipeline] of Object.entries(PIPELINES)) {
    const attributes = { 'input-type': type, 'output-type': `agt.${type}.${name}`, pipeline };
    const made = await trusted.create('/aggregates/core.aggregate', { attributes });
    expect([name, made.status, made.text]).toEqual([name, 201, expect.any(String)]);
  }
}
const reader = await trusted.withPermissions([
  may('get', '/(resources|aggregates)/.*', { where: WHERE, fields: { read: SEEN } }),
]);

describe.each([['GET'], ['HEAD']])('%s tells the same, whatever is hidden', (method) => {
  test.each(QUERIES)('a list by %s', async (_, query) => {
    const [one, other] = await toldOfBoth(sides, (side) =>
      reader.send(method, `/resources/${side.type}?${query(side)}`),
    );
    expect(one).toEqual(other);
    // The links of pages repeat what was asked for.
    expect(one.text.replaceAll(/"(self|first|last|prev|next)":"[^"]*"/g, '')).not.toMatch(
      /secretive|plan|sketch/,
    );
  });

  test.each(ADDRESSES)('at an address: %s', async (_, path) => {
    for (const which of ['eva', 'draft'] as const) {
      const [one, other] = await toldOfBoth(sides, (side) =>
        reader.send(method, path(`/resources/${side.type}`, side[which].id, side)),
      );
      expect(one).toEqual(other);
    }
    // A hidden document is as none.
    const [hidden, none] = await Promise.all(
      [sides[0].draft.id, NO_ID].map(async (id) => {
        const reply = await reader.send(method, path(`/resources/${sides[0].type}`, id, sides[0]));
        return [reply.status, reply.text.replaceAll(id, 'ID')];
      }),
    );
    expect(hidden).toEqual(none);
  });

  test.each(Object.keys(PIPELINES))('a pipeline: %s', async (name) => {
    const [one, other] = await toldOfBoth(sides, (side) =>
      reader.send(method, `/aggregates/agt.${side.type}.${name}?include=boss,x&sort=id`),
    );
    expect(one).toEqual(other);
    expect(one.status).toBe(200);
    expect(JSON.stringify(one)).not.toMatch(/secretive|plan|sketch|salary/);
  });
});
