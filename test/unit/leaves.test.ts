/** Small leaves of the domain: pointers, digests, the bounded map, distinct links, the table of problems. */
import { describe, expect, test } from 'vitest';
import { digest32, digest64 } from '../../src/domain/digest.ts';
import { distinctLinks, flatten, unflatten, type Content } from '../../src/domain/documents.ts';
import { CacheBudget, BoundedCache } from '../../src/domain/caching/bounded-cache.ts';
import { Lru } from '../../src/domain/caching/lru.ts';
import { inside, placeOf, pointerOf } from '../../src/domain/pointer.ts';
import { PROBLEMS } from '../../src/domain/problems.ts';
import { idOf, typeOf } from '../support/names.ts';

describe('a pointer is that of RFC 6901', () => {
  test.each([
    [[], ''],
    [['data'], '/data'],
    [['data', 'attributes', 'a', 0], '/data/attributes/a/0'],
    [['a/b', 'c~d', ''], '/a~1b/c~0d/'],
    [['~1'], '/~01'],
  ])('%j', (steps, pointer) => {
    expect(pointerOf(placeOf(...steps))).toBe(pointer);
  });

  test('a place inside another leaves that one as it was', () => {
    const place = placeOf('data');
    expect([pointerOf(inside(place, 'a')), pointerOf(place)]).toEqual(['/data/a', '/data']);
  });
});

describe('a digest', () => {
  const texts = ['', 'a', 'b', 'ab', 'ba', 'aa', 'articles', 'Articles', 'article', '\u0000', 'é', '😀'];

  test('of each text is its own, and always the same', () => {
    expect(new Set(texts.map(digest64)).size).toBe(texts.length);
    expect(new Set(texts.map(digest32)).size).toBe(texts.length);
    expect(texts.map(digest64)).toEqual(texts.map(digest64));
  });

  test('has 32 bits, or 16 hexadecimal digits', () => {
    for (const text of texts) {
      expect(digest32(text)).toSatisfy((n: number) => Number.isInteger(n) && n >= 0 && n < 2 ** 32);
      expect(digest64(text)).toMatch(/^[0-9a-f]{16}$/);
    }
  });

  test('tells many similar texts apart', () => {
    const digests = Array.from({ length: 20_000 }, (_, n) => digest64(`type-${n}`));
    expect(new Set(digests).size).toBe(20_000);
  });
});

describe('the bounded map', () => {
  test('forgets what was used longest ago, reading being a use', () => {
    const map = new Lru<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
  });

  test('writing again is a use, and takes no more room', () => {
    const map = new Lru<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    expect([map.get('a'), map.get('b')]).toEqual([3, undefined]);
  });

  test('can forget at once', () => {
    const map = new Lru<string, number>(3);
    map.set('a', 1);
    map.set('b', 2);
    map.delete('a');
    expect([map.get('a'), map.size]).toEqual([undefined, 1]);
    map.clear();
    expect(map.size).toBe(0);
  });
});

describe('maps that share a budget', () => {
  const weigh = (_: string, value: string) => value.length;
  const maps = (most: number) => {
    const budget = new CacheBudget(most);
    return [new BoundedCache<string>(budget, weigh), new BoundedCache<string>(budget, weigh)] as const;
  };

  test('forget what was used longest ago in any of them', () => {
    const [one, other] = maps(10);
    one.set('a', 'aaaa');
    other.set('a', 'bbbb');
    one.get('a');
    one.set('c', 'cc');
    other.set('d', 'd');
    expect([one.get('a'), other.get('a'), one.get('c'), other.get('d')]).toEqual([
      'aaaa',
      undefined,
      'cc',
      'd',
    ]);
    expect([one.size, other.size]).toEqual([2, 1]);
  });

  test('forget as many as it takes, and keep nothing that alone is too much', () => {
    const [one, other] = maps(10);
    for (const key of 'abcde') one.set(key, key.repeat(2));
    other.set('x', 'x'.repeat(11));
    expect([one.size, other.size]).toEqual([5, 0]);
    other.set('x', 'x'.repeat(7));
    expect([one.size, other.size]).toEqual([1, 1]);
    expect(one.get('e')).toBe('ee');
  });

  test('give back what is deleted, written over or cleared, and clear nothing of others', () => {
    const [one, other] = maps(10);
    one.set('a', 'aaaaaa');
    one.set('a', 'aa');
    other.set('b', 'bbbb');
    other.delete('b');
    other.set('c', 'cccccccc');
    expect([one.get('a'), other.get('c')]).toEqual(['aa', 'cccccccc']);
    other.clear();
    one.set('d', 'dddddddd');
    expect([one.get('a'), one.get('d'), other.size]).toEqual(['aa', 'dddddddd', 0]);
  });

  test('forget nothing that was used just now, where the budget says so', () => {
    const budget = new CacheBudget(10, 60_000);
    const map = new BoundedCache<string>(budget, weigh);
    map.set('a', 'aaaaaa');
    map.set('b', 'bbbbbb');
    expect([map.get('a'), map.get('b')]).toEqual(['aaaaaa', undefined]);
    map.set('c', 'cccc');
    map.delete('a');
    map.set('d', 'dddddd');
    expect([map.get('c'), map.get('d'), map.size]).toEqual(['cccc', 'dddddd', 2]);
  });

  test('keep within it whatever is done', () => {
    const [one, other] = maps(50);
    for (let step = 0; step < 2_000; step += 1) {
      const map = step % 3 === 0 ? one : other;
      const key = String((step * 7) % 40);
      if (step % 11 === 0) map.delete(key);
      else if (step % 97 === 0) map.clear();
      else map.set(key, 'x'.repeat((step * 13) % 20));
      const weight = [one, other].reduce((sum, each) => sum + weightIn(each), 0);
      expect(weight).toBeLessThanOrEqual(50);
    }
    expect(one.size + other.size).toBeGreaterThan(0);
  });

  function weightIn(map: BoundedCache<string>): number {
    let weight = 0;
    for (let key = 0; key < 40; key += 1) weight += map.get(String(key))?.length ?? 0;
    return weight;
  }
});

describe('documents', () => {
  const link = (type: string, digit: string) => ({ type: typeOf(type), id: idOf(digit.repeat(24)) });

  test('keep the first of equal links', () => {
    const links = [link('a', '1'), link('b', '1'), link('a', '2'), link('a', '1'), link('b', '1')];
    expect(distinctLinks(links)).toEqual(links.slice(0, 3));
  });

  test('are the same after being flat, given their relationships', () => {
    const content: Content = {
      attributes: { a: 1, list: [{ type: 'x', id: 'y' }], none: null },
      relationships: { none_: null, one: link('a', '1'), many: [link('a', '1'), link('b', '2')], empty: [] },
    };
    expect(unflatten(flatten(content), Object.keys(content.relationships))).toEqual(content);
  });
});

describe('problems', () => {
  const all = Object.entries(PROBLEMS);

  test.each(all)('%s is a kebab-case word with a status and a title', (code, [status, title]) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
  });
});
