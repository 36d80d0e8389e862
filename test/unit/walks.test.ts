/**
 * What a walk over a path costs. A number in a path is a position and a name: where arrays and objects alternate there
 * are as many ways as choices of steps, and each place must nonetheless be looked at once for each step.
 */
import { describe, expect, test } from 'vitest';
import type { Fields, Value } from '../../src/domain/values/values.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { compileDistance, nearOf } from '../../src/operators/query/near.ts';
import { compileCells } from '../../src/query/index/cells.ts';
import { compileEntries } from '../../src/query/index/paths.ts';
import { bySortFields } from '../../src/query/order/ordering.ts';
import { compileWalk, type Path } from '../../src/query/walk.ts';
import { conditionOf } from '../support/conditions.ts';

const LEVELS = 30;
const point = { type: 'Point', coordinates: [2.35, 48.86] };

/** `[{"0": [{"0": …}]}]`, as deep as JSON may be; `visits` tells how often one of its objects was asked its field. */
function alternating(leaf: Value = 5): { readonly document: Fields; readonly visits: () => number } {
  let visits = 0;
  let value = leaf;
  for (let level = 0; level < LEVELS; level += 1) {
    const inner = value;
    const object: Fields = {};
    Object.defineProperty(object, '0', {
      enumerable: true,
      get: () => {
        visits += 1;
        return inner;
      },
    });
    value = [object];
  }
  return { document: { a: value }, visits: () => visits };
}

function positions(count: number): Path {
  return Array.from({ length: count }, () => '0');
}

const path = ['a', ...positions(LEVELS)];
const name = path.join('.');
/** Each object for each step of the path, and once more for each where it is an item that a position names. */
const MOST = 2 * LEVELS * path.length;

/** `$elemMatch` in `$elemMatch`, each over a path with positions. */
function nested(levels: number): unknown {
  return levels === 0 ? { $eq: 'nowhere' } : { $elemMatch: { '0.0.0': nested(levels - 1) } };
}

describe('each place is looked at once for each step of a path', () => {
  test.each<[string, unknown]>([
    ['a value', { [name]: 'nowhere' }],
    ['a bound', { [name]: { $gt: 5 } }],
    ['no value', { [name]: { $exists: false } }],
    ['several values', { [name]: { $all: ['x', 'y'] } }],
    ['one of several', { [name]: { $in: ['x', /y/.source] } }],
    ['a pattern', { [name]: { $regex: 'x' } }],
    ['a size', { [name]: { $size: 7 } }],
    ['an element', { [name]: { $elemMatch: { $eq: 'nowhere' } } }],
    ['a negation', { [name]: { $not: { $lt: 9 } } }],
    ['a place', { [name]: { $geoIntersects: { $geometry: point } } }],
    ['elements in elements', { 'a.0.0': nested(8) }],
  ])('%s', (_, filter) => {
    const { document, visits } = alternating();
    expect(compileMatcher(conditionOf(filter))(document)).toBe(false);
    expect(visits()).toBeGreaterThan(0);
    expect(visits()).toBeLessThanOrEqual(MOST);
  });

  test('by the entries of an index, which are those of all ways', () => {
    const { document, visits } = alternating();
    const { keys } = compileEntries(path)(document);
    // The number, and that something is missing on the way; and arrays and objects at the end of shorter ways.
    expect(keys.length).toBeGreaterThan(1);
    // It asks for the keys of both orders as well.
    expect(visits()).toBeLessThanOrEqual(5 * MOST);
  });

  test('by the cells of an index, and by distances', () => {
    const { document, visits } = alternating(point);
    expect(compileCells(path)(document)).toMatchObject({ alone: true, cells: [expect.anything()] });
    const near = nearOf(conditionOf({ [name]: { $near: { $geometry: point } } }));
    expect(near && compileDistance(near)(document)).toBe(0);
    expect(visits()).toBeLessThanOrEqual(2 * MOST);
  });

  test('by the key of a sort', () => {
    const { document, visits } = alternating();
    bySortFields([{ path, direction: 'ascending' }]).keyOf(document);
    // It reads a field in several steps.
    expect(visits()).toBeLessThanOrEqual(5 * MOST);
  });
});

describe('what is remembered of one walk says nothing of the next', () => {
  test('a walk that ended early, over the same document', () => {
    const { document } = alternating();
    const met: (Value | undefined)[] = [];
    let wanted = 1;
    const walk = compileWalk(path, 'items and array', (value) => met.push(value) >= wanted);
    expect(walk(document)).toBe(true);
    wanted = Infinity;
    met.length = 0;
    expect(walk(document)).toBe(false);
    const all = met.length;
    met.length = 0;
    expect(walk(document)).toBe(false);
    expect(met).toHaveLength(all);
    expect(all).toBeGreaterThan(1);
  });
});
