/** The films and cars of the demo, in an application of a test's own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { carDrafts, type Draft } from '../../scripts/demo-data.ts';
import type { Client } from './client.ts';
import { add, operate } from './operations.ts';

const CARS = join(import.meta.dirname, '../../node_modules/vega-datasets/data/cars.json');

/** Cars, their makers, and the regions of these: 406, 30 and 3 documents. */
export async function loadCars(client: Client): Promise<void> {
  const data: unknown = JSON.parse(readFileSync(CARS, 'utf8'));
  const drafts = carDrafts(data);
  const ids = new Map<string, string>();
  for (const level of [0, 1, 2]) {
    const ofLevel = drafts.filter((draft) => draft.level === level);
    for (const [type, some] of Map.groupBy(ofLevel, (draft) => draft.type)) {
      const { results, text } = await operate(
        client,
        some.map((draft) => add(type, draft.attributes, linksOf(draft, ids))),
      );
      if (results.length !== some.length) throw new Error(text);
      for (const [index, { key }] of some.entries()) ids.set(key, results[index]?.data?.id ?? '');
    }
  }
}

function linksOf({ links }: Draft, ids: ReadonlyMap<string, string>): object {
  return Object.fromEntries(
    Object.entries(links).map(([name, { type, key }]) => [name, { data: { type, id: ids.get(key) ?? '' } }]),
  );
}

/** Documents `{n: 0}`, `{n: 1}`… of a type, by lists of operations. */
export async function loadNumbers(client: Client, type: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1000) {
    const some = Array.from({ length: Math.min(1000, count - at) }, (_, n) => add(type, { n: at + n }));
    const { status, text } = await operate(client, some);
    if (status !== 200) throw new Error(text);
  }
}
