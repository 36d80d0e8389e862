/** Kept counts: whatever is written or undone, and counted before, a count is what the matcher alone finds. */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { TUNING } from '../../src/collection/search/tuning.ts';
import { Segments, type EntryPlace } from '../../src/collection/storage/indexes/segments.ts';
import { Long, type Fields, type Value } from '../../src/domain/values/values.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { conditionOf } from '../support/conditions.ts';
import { LocalCollection } from '../support/local-collection.ts';
import { scaled } from '../support/long.ts';

/** So few that a small collection has many segments. */
const EXTENTS = { entries: 2 };

/** Nothing is listed, and no pass pauses: whoever is let in comes while something is counted. */
const tuning = { ...TUNING, small: 0, few: 0, mostListed: 1, segmentsInStep: 2 };

const plain = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 60 }) },
  // A value of very many.
  { weight: 6, arbitrary: fc.constant(7) },
  { weight: 3, arbitrary: fc.constantFrom<Value>('a', 'b', null, true, 0.5, new Long(9007199254740993n)) },
);
const fields = fc.record({ n: plain }, { requiredKeys: [] }).map((each): Fields => each);
/** With several values, or one that its key does not say exactly: from then on, entries are no documents. */
const odd = fc.constantFrom<Fields>({ n: [8, 30] }, { n: { x: 1 } }, { n: 'x'.repeat(200) });

const bound = fc.tuple(fc.constantFrom('$gt', '$gte'), fc.constantFrom('$lt', '$lte'));
const range = fc.tuple(bound, fc.integer({ min: -1, max: 61 }), fc.nat(60));
const filter = fc.oneof(
  {
    weight: 6,
    arbitrary: range.map(([[one, other], from, span]) => ({ [one]: from, [other]: from + span })),
  },
  fc.constantFrom<unknown>(7, { $gt: 7 }, { $gte: 8 }, { $in: [7, 7, 8, 'a'] }, { $gte: 'a' }, null, {
    $lt: 0.5,
  }),
);

const write = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('make' as const), fields }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), at: fc.nat(), fields }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), at: fc.nat() }) },
);
const step = fc.oneof(
  { weight: 6, arbitrary: write },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), writes: fc.array(write) }) },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'restart' as const }, { do: 'forget' as const }) },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('count' as const), filter, between: fc.array(write) }),
  },
);
type Write = typeof write extends fc.Arbitrary<infer Each> ? Each : never;
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

class Counted {
  readonly collection = new LocalCollection(EXTENTS);
  #known = new Map<string, Fields>();
  paused = 0;

  write(each: Write): void {
    const target =
      each.do === 'make' ? undefined : [...this.#known.keys()][each.at % Math.max(1, this.#known.size)];
    if (each.do === 'make') this.#known.set(this.collection.create(each.fields), each.fields);
    else if (target === undefined) return;
    else if (each.do === 'delete') {
      this.collection.remove(target);
      this.#known.delete(target);
    } else {
      this.collection.update(target, each.fields);
      this.#known.set(target, { ...this.#known.get(target), ...each.fields });
    }
  }

  async do(each: Step): Promise<void> {
    if (each.do === 'count') await this.#count(each.filter, each.between);
    else if (each.do === 'restart') this.collection.restart();
    else if (each.do === 'forget') {
      this.collection.forget();
      this.index();
    } else if (each.do === 'undo') {
      const known = new Map(this.#known);
      this.collection.undone(() => {
        for (const one of each.writes) this.write(one);
      });
      this.#known = known;
    } else this.write(each);
  }

  index(): void {
    this.collection.learn('n');
    this.collection.build();
  }

  async #count(n: unknown, between: readonly Write[]): Promise<void> {
    const condition = conditionOf({ n });
    const others = between.values();
    const pause = () => {
      const { value } = others.next();
      if (value === undefined) return;
      this.paused += 1;
      this.write(value);
    };
    const { total, documents } = await this.collection.list(
      condition,
      { offset: 0, limit: 1 },
      { tuning, pause },
    );
    const matches = compileMatcher(condition);
    const expected = [...this.#known].filter(([, document]) => matches(document));
    expect(total).toBe(expected.length);
    // A walk to it may begin where the first of them is.
    expect(documents[0]?.id).toBe(expected[0]?.[0]);
  }
}

test('a kept count is the number of documents that match, after any writes, between any pauses', async () => {
  let paused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fields, { minLength: 100, maxLength: 250 }),
      fc.array(step, { minLength: 20, maxLength: 60 }),
      fc.option(odd),
      fc.array(step, { maxLength: 20 }),
      async (made, steps, last, more) => {
        const counted = new Counted();
        for (const each of made) counted.write({ do: 'make', fields: each });
        counted.index();
        for (const each of steps) await counted.do(each);
        if (last !== null) counted.write({ do: 'change', at: 0, fields: last });
        for (const each of more) await counted.do(each);
        paused += counted.paused;
        counted.collection.close();
      },
    ),
    { numRuns: scaled(80) },
  );
  expect(paused).toBeGreaterThan(scaled(500));
});

test('segments that are joined are not many, whatever was counted', () => {
  const place = fc.nat(1000);
  fc.assert(
    fc.property(fc.array(fc.tuple(place, place), { maxLength: 300 }), (ranges) => {
      const segments = new Segments();
      const of = (seq: number) => ({ key: '10', seq });
      for (const [one, other] of ranges) {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        // Each place has one entry. Only a segment of which nothing is known is counted.
        const first = segments.from(of(from));
        const end = Math.min(to, first.to?.seq ?? Infinity, from + 10);
        if (first.segment.entries === null && from < end) segments.learn(of(from), of(end), end - from);
        segments.join(10);
      }
      let counted = 0;
      for (const { segment, to } of each(segments)) {
        if (segment.entries === null) continue;
        expect(segment.entries).toBe((to?.seq ?? 0) - segment.from.seq);
        counted += segment.entries;
      }
      // Of two neighbours one is nearly full, or nothing is known of one.
      expect(segments.count).toBeLessThanOrEqual(1 + 4 * (1 + counted / 10) + gapsOf(segments));
    }),
    { numRuns: scaled(300) },
  );
});

function* each(segments: Segments) {
  for (let at: EntryPlace | null = { key: '', seq: 0 }; at !== null;) {
    const bounded = segments.from(at);
    yield bounded;
    at = bounded.to;
  }
}

function gapsOf(segments: Segments): number {
  return [...each(segments)].filter(({ segment }) => segment.entries === null).length * 2;
}
