/** What a search answers when others write while it pauses: documents as they are, and no count of what was. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TUNING } from '../../src/collection/search/tuning.ts';
import { parseFilter } from '../../src/operators/filter/parse.ts';
import { LocalCollection, type ListOptions } from '../support/local-collection.ts';

const ME = 'core.user me';
const SMALL = { ...TUNING, documentsInStep: 2, decodedInStep: 2 };

let collection: LocalCollection;
let ids: string[];
beforeEach(() => {
  collection = new LocalCollection();
  ids = [1, 1, 1, 1, 2, 1, 1, 1].map((n) => collection.create({ n }, [ME]));
});
afterEach(() => {
  collection.close();
});

function list(options: ListOptions = {}, after: string | null = null, limit = 3) {
  // No index serves this, and SQL is not sure of it.
  const condition = parseFilter([{ field: null, text: '{"n":{"$not":{"$type":"string"},"$eq":1}}' }]);
  if (!condition.ok) expect.fail();
  return collection.list(condition.value, { after, limit }, { tuning: SMALL, ...options });
}

const shown = ({ documents }: Awaited<ReturnType<typeof list>>) => documents.map(({ id }) => id);

/** Does something in the first pause of a search. */
function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

describe('a document of the page that changes while the search pauses', () => {
  test.each<[string, (id: string) => void]>([
    [
      'so that it matches no more',
      (id) => {
        collection.update(id, { n: 3 });
      },
    ],
    [
      'so that it may be read no more',
      (id) => {
        collection.share(id, []);
      },
    ],
    [
      'so that it is gone',
      (id) => {
        collection.remove(id);
      },
    ],
  ])('%s is not answered', async (_, change) => {
    const pause = once(() => {
      change(ids[0] ?? '');
    });
    expect(shown(await list({ viewer: [ME], pause }))).toEqual([ids[1], ids[2]]);
  });

  test('in another way is answered as it is', async () => {
    const pause = once(() => {
      collection.update(ids[0] ?? '', { title: 'new' });
    });
    const found = await list({ pause });
    expect(shown(found)).toEqual(ids.slice(0, 3));
    expect(found.documents[0]?.body).toContain('new');
  });

  test('leaves the way on, even when nothing is left of the page', async () => {
    const pause = once(() => {
      for (const id of ids.slice(0, 2)) collection.update(id, { n: 3 });
    });
    const first = await list({ pause }, null, 2);
    expect([shown(first), first.more, first.next]).toEqual([[], true, null]);
    expect(shown(await list({}, first.next))).toEqual([ids[2], ids[3], ids[5]]);
  });
});

test('what an index told of a document is asked again', async () => {
  for (const name of ['n', 'm']) collection.learn(name);
  collection.build();
  const [one, other] = [collection.create({ n: 7, m: 1 }, [ME]), collection.create({ n: 7 }, [ME])];
  const condition = parseFilter([{ field: null, text: '{"n":7,"m":{"$exists":true}}' }]);
  if (!condition.ok) expect.fail();
  const tuning = { ...TUNING, documentsInStep: 1, decodedInStep: 1, small: 1, few: 1, worthwhileShare: 1 };
  // Listed by its n, which it has lost when its turn comes.
  const pause = once(() => {
    collection.update(other, { n: 8, m: 1 });
  });
  expect(shown(await collection.list(condition.value, { after: null, limit: 3 }, { tuning, pause }))).toEqual(
    [one],
  );
});

test('a document that sorts elsewhere since it was found does not take the cursor with it', async () => {
  const condition = parseFilter([{ field: null, text: '{"n":{"$gt":0}}' }]);
  if (!condition.ok) expect.fail();
  const pause = once(() => {
    collection.update(ids[1] ?? '', { n: 9 });
  });
  const sort = [{ path: ['n'], direction: 'ascending' as const }];
  const visited: string[] = [];
  let after: string | null = null;
  for (let more = true; more;) {
    const page = await collection.list(condition.value, { after, limit: 2 }, { sort, tuning: SMALL, pause });
    visited.push(...shown(page));
    ({ more, next: after } = page);
  }
  const stayed = ids.filter((_, index) => index !== 1);
  expect(visited.filter((id) => id !== ids[1]).sort()).toEqual(stayed);
});

test('a document that moves, whose distance an index entry alone told, does not take the cursor along', async () => {
  const at = (meters: number) => ({
    at: { type: 'Point', coordinates: [(meters / 6_378_100) * (180 / Math.PI), 0] },
  });
  collection.learn('$cells.at');
  // Those at one place must be measured, which takes a pause; the entries of the others tell all.
  const together = Array.from({ length: 600 }, () => collection.create(at(1_000)));
  const apart = Array.from({ length: 300 }, (_, index) => collection.create(at(1_050 + 5 * index)));
  collection.build();
  const filter = '{"at":{"$near":{"$geometry":{"type":"Point","coordinates":[0,0]}}}}';
  const condition = parseFilter([{ field: null, text: filter }]);
  if (!condition.ok) expect.fail();
  const moving = apart[99] ?? '';
  const pause = once(() => {
    collection.update(moving, at(9_000));
  });
  const visited: string[] = [];
  let after: string | null = null;
  for (let more = true; more;) {
    const page = await collection.list(condition.value, { after, limit: 700 }, { pause });
    visited.push(...shown(page));
    ({ more, next: after } = page);
  }
  expect(visited.filter((id) => id !== moving)).toEqual(
    [...together, ...apart].filter((id) => id !== moving),
  );
  expect(visited).toContain(moving);
});

describe('a count that took pauses', () => {
  test('is remembered when nobody wrote', async () => {
    const first = await list();
    const second = await list();
    expect([first.total, second.total]).toEqual([7, 7]);
    expect(second.plan.visited).toBeLessThan(first.plan.visited);
  });

  test('is of no use once somebody has written', async () => {
    await list({
      pause: once(() => {
        collection.update(ids[7] ?? '', { n: 3 });
        collection.update(ids[6] ?? '', { n: 3 });
        collection.update(ids[0] ?? '', { n: 3 });
      }),
    });
    expect((await list()).total).toBe(4);
  });
});

test('a filter of many tests lets others in more often', async () => {
  for (let index = 0; index < 6_000; index += 1) collection.create({ n: index % 7 }, [ME]);
  const search = async (tests: number) => {
    const or = Array.from({ length: tests }, (_, index) => ({ n: { $gt: 5 + index } }));
    const condition = parseFilter([{ field: null, text: JSON.stringify({ $or: or }) }]);
    if (!condition.ok) expect.fail();
    let pauses = 0;
    const pause = () => (pauses += 1);
    const { total } = await collection.list(condition.value, { offset: 0, limit: 5 }, { pause });
    return { pauses, total };
  };
  const [few, many] = [await search(2), await search(400)];
  expect([few.total, many.total]).toEqual([857, 857]);
  expect(few.pauses).toBeLessThan(10);
  // Some dozens of documents at a time, rather than thousands.
  expect(many.pauses).toBeGreaterThan(100);
});
