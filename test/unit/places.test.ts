/** Places of messages on their way: who may send next when others are slow. */
import { describe, expect, test } from 'vitest';
import type { Queue } from '../../src/collection/storage/outbox/outbox.ts';
import { Places } from '../../src/collection/write/notify/deliveries.ts';

const queue = (addressee: string, failures = 0): Queue => ({ kind: 'webhook', addressee, failures });
const PROMPTLY = 10;
const SLOWLY = 2_000;

/** Lets messages set out while there are places, and tells how many of each queue did. */
function fill(places: Places, queues: readonly Queue[], isLate = false): readonly number[] {
  const out = queues.map(() => 0);
  for (let next = places.choose(queues, isLate); next !== undefined; next = places.choose(queues, isLate)) {
    places.begin(next);
    const at = queues.indexOf(next);
    out[at] = (out[at] ?? 0) + 1;
  }
  return out;
}

/** Places in which each of some queues has had an answer. */
function after(took: ReadonlyMap<Queue, number>): Places {
  const places = new Places();
  for (const [each, milliseconds] of took) {
    places.begin(each);
    places.end(each, milliseconds);
  }
  return places;
}

const [a, b, c, d] = [queue('a'), queue('b'), queue('c'), queue('d')];
const weary = queue('weary', 1);
const tired = queue('tired', 5);

describe('messages that set out at a time', () => {
  test.each<[string, Places, readonly Queue[], readonly number[]]>([
    ['one of each that has not answered yet', new Places(), [a, b], [1, 1]],
    ['not all of a prompt one, which may hang next', after(new Map([[a, PROMPTLY]])), [a], [5]],
    [
      'as many of each prompt one',
      after(
        new Map([
          [a, PROMPTLY],
          [b, PROMPTLY],
        ]),
      ),
      [a, b],
      [3, 3],
    ],
    ['half of what there is to a slow one', after(new Map([[a, SLOWLY]])), [a], [3]],
    [
      'half of what there is to all slow ones together',
      after(new Map([a, b, c, d].map((each) => [each, SLOWLY]))),
      [a, b, c, d],
      [1, 1, 1, 0],
    ],
    [
      'the other half to a prompt one beside them',
      after(new Map([a, b, c, d].map((each) => [each, each === d ? PROMPTLY : SLOWLY]))),
      [a, b, c, d],
      [1, 1, 1, 3],
    ],
    ['few to one that failed before', new Places(), [weary], [3]],
    ['one to one that fails again and again', after(new Map([[tired, PROMPTLY]])), [tired], [1]],
  ])('%s', (_, places, queues, out) => {
    expect(fill(places, queues)).toEqual(out);
  });

  test('past the time of a ring: of prompt ones alone', () => {
    const places = after(
      new Map([
        [a, PROMPTLY],
        [b, SLOWLY],
      ]),
    );
    expect(fill(places, [a, b, c], true)).toEqual([5, 0, 0]);
  });
});

test('a place is left to others by those of which nobody knows whether they hang', () => {
  const strangers = Array.from({ length: 10 }, (_, n) => queue(`stranger ${n}`));
  const places = after(new Map([[a, PROMPTLY]]));
  fill(places, strangers);
  expect(places.taken).toBe(5);
  expect(places.choose([a], false)).toBe(a);
});
