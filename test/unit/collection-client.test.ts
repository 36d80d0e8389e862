/** The client of a collection: which object it asks, how often it looks that up, and what it tells of large pages. */
import { describe, expect, test } from 'vitest';
import { collectionOf } from '../../src/collection/rpc/client.ts';
import { packContent } from '../../src/collection/rpc/packing/content.ts';
import { packList } from '../../src/collection/rpc/packing/packing.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { ok } from '../../src/domain/problems.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { applicationId, idOf, typeOf } from '../support/names.ts';

const OWN = applicationId('a'.repeat(24));
const ITS = applicationId('b'.repeat(24));

/** Bindings whose objects answer these calls; `found` has the names of those that were looked up. */
function bindings(calls: Readonly<Record<string, (...args: never[]) => unknown>>) {
  const found: string[] = [];
  const names = new Map<object, string>();
  const COLLECTIONS = {
    idFromName: (name: string) => {
      const id = {};
      names.set(id, name);
      return id;
    },
    get: (id: object) => {
      found.push(names.get(id) ?? '');
      return calls;
    },
  };
  // Of the bindings, only this much is used.
  return { environment: { COLLECTIONS } as unknown as Environment, found };
}

describe('of one request', () => {
  test('a collection is looked up once, however often it is asked', async () => {
    const { environment, found } = bindings({ missing: () => [] });
    const exchange = { environment, application: OWN };
    await collectionOf(exchange, typeOf('once')).missing([idOf('a')]);
    await collectionOf(exchange, typeOf('once')).missing([idOf('b')]);
    await collectionOf(exchange, typeOf('other')).missing([idOf('b')]);
    expect(found).toEqual([`${OWN}/once`, `${OWN}/other`]);
  });

  test('a copy for another application asks that one', async () => {
    const told: unknown[] = [];
    const { environment, found } = bindings({ erase: (name: unknown) => (told.push(name), []) });
    const exchange = { environment, application: OWN };
    await collectionOf(exchange, typeOf('things')).erase();
    await collectionOf({ ...exchange, application: ITS }, typeOf('things')).erase();
    expect(found).toEqual([`${OWN}/things`, `${ITS}/things`]);
    expect(told).toEqual([
      { application: OWN, type: 'things' },
      { application: ITS, type: 'things' },
    ]);
  });
});

describe('a page of a list', () => {
  const request = {
    condition: '',
    sort: [],
    page: { offset: 0, limit: 1 },
    viewer: null,
    rule: null,
    hidden: [],
  };

  async function eventsOf(text: string): Promise<readonly string[]> {
    const events: string[] = [];
    const { body } = packContent({ attributes: { text }, relationships: {} });
    const documents = ['1'.repeat(24), 1, 1, '', body].join('\u001f');
    const plan = { way: 'nothing' as const, used: [], scan: false, rows: 0, visited: 0, decoded: 0 };
    const page = { counter: 1, total: 1, more: false, documents, next: null, plan };
    const { environment } = bindings({
      list: () => packList(ok(page)),
      taken: () => {
        events.push('taken');
      },
    });
    const listed = await collectionOf({ environment, application: OWN }, typeOf('pages')).list(
      request,
      (found) => {
        events.push(`used ${found.documents.length}`);
        return Promise.resolve(ok(found.documents.map(({ attributes }) => attributes['text'] === text)));
      },
    );
    expect(listed).toEqual(ok([true]));
    return events;
  }

  test('is told to be taken once it was used, where it is large', async () => {
    expect(await eventsOf('x'.repeat(LIMITS.sentAtOnce))).toEqual(['used 1', 'taken']);
  });

  test('and asks nothing further where it is small', async () => {
    expect(await eventsOf('x')).toEqual(['used 1']);
  });
});
