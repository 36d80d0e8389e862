/** The law of rules for reads: every way to read, by one viewer, against the model. */
import { expect } from 'vitest';
import { NO_ID, type Reply } from './client.ts';
import { linksOf, mayUse, nOf, shownOf, type Known } from './rules-model.ts';
import type { RulesWorld } from './rules-world.ts';

/** A condition on what is shown, and which documents meet it. */
type Asked = readonly [query: string, meets: (document: Known, shows: (name: string) => boolean) => boolean];

const json = (filter: object) => encodeURIComponent(JSON.stringify(filter));
const NEAR = json({ home: { $near: { $geometry: { type: 'Point', coordinates: [0, 0] } } } });
const TEXT = json({ $text: { $search: 'word0 word2' } });

const CONDITIONS: readonly Asked[] = [
  ['', () => true],
  ['filter[n]={"$gte":2}', (document, shows) => shows('n') && (nOf(document) ?? -1) >= 2],
  ['filter[n]={"$exists":false}', (document, shows) => !shows('n') || nOf(document) === undefined],
  ['filter[open]=true', ({ attributes }, shows) => shows('open') && attributes?.['open'] === true],
  [
    `filter[*]=${json({ $nor: [{ open: true }] })}`,
    ({ attributes }, shows) => !(shows('open') && attributes?.['open'] === true),
  ],
  [
    `filter[*]=${TEXT}`,
    ({ attributes }, shows) => shows('word') && /^word[02]$/.test(String(attributes?.['word'])),
  ],
  [
    'filter[by.type]=core.user',
    (document, shows) => shows('by') && linksOf(document, 'by').some(({ type }) => type === 'core.user'),
  ],
  [
    'filter[by.username]={"$exists":true}',
    (document, shows) => shows('by') && linksOf(document, 'by').some(({ type }) => type === 'core.user'),
  ],
];

const PAGES = ['page[size]=2&page[after]=', 'page[size]=2&page[number]=1', 'page[limit]=2&page[offset]=0'];

const idsOf = ({ body }: Reply) => body.data.map(({ id }) => id);

/** Every way to read, for a viewer. */
export async function checkReads(world: RulesWorld, number: number): Promise<void> {
  const { base, hub, type, seen } = world;
  const { read } = world.setting;
  const shows = (name: string) => mayUse(read, name);
  const documents = await world.all();
  const allowed = documents.filter((each) => world.reaches(number, each));
  // What was created since, the hub does not link to.
  const linkedTo = allowed.filter(({ id }) => world.linked.has(id));
  const ids = linkedTo.map(({ id }) => id);
  const shown = linkedTo.map((each) => shownOf(each, read));
  seen.shown += allowed.length;
  seen.hidden += documents.length - allowed.length;
  const get = (path: string) => world.get(path, number);
  const own = `/resources/${hub.type}/${hub.id}`;

  await inParallel(CONDITIONS, async ([query, meets]) => {
    const found = allowed.filter((each) => meets(each, shows));
    const reply = await get(`${base}?${query}`);
    expect([query, reply.body.meta.count, reply.body.data.map((each) => shownOf(each, undefined))]).toEqual([
      query,
      found.length,
      found.map((each) => shownOf(each, read)),
    ]);
    const uncounted = await get(`${base}?${query}&page[count]=false`);
    expect(idsOf(uncounted)).toEqual(found.map(({ id }) => id));
  });

  const byN = shows('n') ? allowed.toSorted((a, b) => (nOf(b) ?? -1) - (nOf(a) ?? -1)) : allowed;
  await inParallel(PAGES, async (page) => {
    const found: string[] = [];
    for (let next: string | null = `${base}?sort=-n&${page}`; next !== null;) {
      const reply = await get(next);
      found.push(...idsOf(reply));
      next = reply.body.links.next;
    }
    expect([page, found]).toEqual([page, byN.map(({ id }) => id)]);
  });
  const placed = allowed.filter(({ attributes }) => attributes?.['home'] !== undefined);
  const near = shows('home') ? placed.toSorted((a, b) => pointOf(a) - pointOf(b)).map(({ id }) => id) : [];
  expect(idsOf(await get(`${base}?filter[*]=${NEAR}`))).toEqual(near);
  await checkCursor(world, number);

  const groups = new Map<string, string[]>();
  for (const each of allowed) {
    const key = shows('n') ? String(nOf(each) ?? null) : 'null';
    groups.set(key, [...(groups.get(key) ?? []), each.id]);
  }
  const sums = await get(`/aggregates/agt.${type}`);
  expect(new Map(sums.body.data.map(({ id, attributes }) => [id, attributes?.['ids']]))).toEqual(groups);

  const included = await get(`${own}?include=to`);
  expect(included.body.included.map((each) => shownOf(each, undefined)).sort(byId)).toEqual(
    shown.toSorted(byId),
  );
  expect(idsOf(await get(`${own}/to?page[size]=100`)).sort()).toEqual(ids.toSorted());
  expect(idsOf(await get(`${own}/to`)).sort()).toEqual(ids.toSorted());
  const inverse = shows('hub') ? allowed.filter((each) => linksOf(each, 'hub').length > 0) : [];
  const parts = inverse.map(({ id }) => id);
  expect(idsOf(await get(`${own}/parts`))).toEqual(parts);
  expect(idsOf(await get(`${own}/relationships/parts`))).toEqual(parts);
  expect((await get(`${own}?include=parts`)).body.included.map(({ id }) => id).sort()).toEqual(
    parts.toSorted(),
  );
  const through = await get(`/resources/${hub.type}?filter[to.n]={"$gte":2}`);
  expect(idsOf(through)).toEqual(
    shows('n') && linkedTo.some((each) => (nOf(each) ?? -1) >= 2) ? [hub.id] : [],
  );

  await inParallel(documents, (document) => checkOne(world, number, document));
}

async function inParallel<T>(all: readonly T[], check: (each: T) => Promise<void>): Promise<void> {
  await Promise.all(all.map(check));
}

/** A document at its address, and what leads on from there. */
async function checkOne(world: RulesWorld, number: number, document: Known): Promise<void> {
  const { base, setting, web } = world;
  const path = `${base}/${document.id}`;
  const headers = world.headersOf(number);
  const can = world.reaches(number, document);
  const one = await world.get(path, number);
  if (!can) {
    // One that is hidden is as one that never was, whatever is asked of it.
    for (const place of ['', '/relationships/by', '/by', '?include=by']) {
      const hidden = await web.get(`${path}${place}`, headers);
      const never = await web.get(`${base}/${NO_ID}${place}`, headers);
      expect([place, hidden.status, hidden.text]).toEqual([place, 403, never.text]);
    }
    const tagged = await web.get(path, { ...headers, 'if-none-match': '*' });
    expect(tagged.status).toBe(403);
    return;
  }
  expect(shownOf(one.body.data, undefined)).toEqual(shownOf(document, setting.read));
  const status = mayUse(setting.read, 'by') ? 200 : 404;
  const linked = await world.get(`${path}/relationships/by`, number);
  expect([linked.status, (await world.get(`${path}/by`, number)).status]).toEqual([status, status]);
  if (status === 200) expect(linked.body.data).toEqual(document.relationships?.['by']?.data);
  const again = await web.get(path, { ...headers, 'if-none-match': one.etag });
  expect(again.status).toBe(304);
}

/** A cursor is for whoever got it. */
async function checkCursor(world: RulesWorld, number: number): Promise<void> {
  const { body } = await world.get(`${world.base}?page[size]=1&page[after]=`, number);
  const other = world.askers.find((each) => each !== number && each > 0 && number > 0);
  const { next } = body.links;
  if (next === null || other === undefined || !world.asksWho) return;
  expect((await world.web.get(next, world.headersOf(other))).status).toBe(400);
}

/** Documents are put on the equator, at the number they had first. */
function pointOf({ attributes }: Known): number {
  const home = attributes?.['home'] as { readonly coordinates: readonly number[] } | undefined;
  return home?.coordinates[0] ?? 0;
}

function byId(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
