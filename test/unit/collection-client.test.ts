/** The client of a collection: which object it asks, how often it looks that up, and what it tells of large pages. */
import { describe, expect, test } from 'vitest';
import { collectionOf } from '../../src/collection/rpc/client.ts';
import { LOOKUPS_AT_ONCE, type Withdrawal } from '../../src/collection/rpc/maintenance/lookup.ts';
import { packContent } from '../../src/domain/values/stored.ts';
import { packList } from '../../src/collection/rpc/packing/packing.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { giveBack, RequestMemory, takeMemory } from '../../src/domain/work/memory.ts';
import { ok } from '../../src/domain/problems.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { objectOf } from '../support/exchange.ts';
import { applicationId, idOf, typeOf } from '../support/names.ts';

const OWN = applicationId('a'.repeat(24));
const ITS = applicationId('b'.repeat(24));

/** Bindings whose objects answer these calls; `found` has the names looked up, `told` the targets of calls. */
function bindings(calls: Readonly<Record<string, (...args: never[]) => unknown>>) {
  const found: string[] = [];
  const told: unknown[] = [];
  const names = new Map<object, string>();
  const COLLECTIONS = {
    idFromName: (name: string) => {
      const id = {};
      names.set(id, name);
      return id;
    },
    get: (id: object) => {
      found.push(names.get(id) ?? '');
      const { call } = objectOf(calls);
      const noted: typeof call = (target, ...given) => {
        told.push(target);
        return call(target, ...given);
      };
      return { call: noted };
    },
  };
  // Of the bindings, only this much is used.
  return { environment: { COLLECTIONS } as unknown as Environment, found, told };
}

describe('of one request', () => {
  test('a collection is looked up once, however often it is asked', async () => {
    const { environment, found } = bindings({ missing: () => [] });
    const context = { environment, application: OWN };
    await collectionOf(context, typeOf('once')).calls.missing([idOf('a')]);
    await collectionOf(context, typeOf('once')).calls.missing([idOf('b')]);
    await collectionOf(context, typeOf('other')).calls.missing([idOf('b')]);
    expect(found).toEqual([`${OWN}/once`, `${OWN}/other`]);
  });

  test('a copy for another application asks that one', async () => {
    const { environment, found, told } = bindings({ finishRewind: () => undefined });
    const context = { environment, application: OWN };
    await collectionOf(context, typeOf('things')).calls.finishRewind([]);
    await collectionOf({ ...context, application: ITS }, typeOf('things')).calls.finishRewind([]);
    expect(found).toEqual([`${OWN}/things`, `${ITS}/things`]);
    expect(told).toEqual([
      { application: OWN, type: 'things' },
      { application: ITS, type: 'things' },
    ]);
  });
});

test('look-ups of over a thousand documents end in calls that each write fewer, before all is erased', async () => {
  const all = Array.from({ length: 1_001 }, (_, n) => n.toString(16).padStart(24, '0'));
  const calls: unknown[] = [];
  const { environment } = bindings({
    withdrawLookups: ({ skip, ...rest }: Withdrawal) => {
      calls.push({ skip, ...rest });
      return all.slice(skip, skip + LOOKUPS_AT_ONCE);
    },
    erase: () => void calls.push('erase'),
  });
  const ended = await collectionOf({ environment, application: OWN }, typeOf('keys')).erase();
  expect(ended).toEqual(all);
  const withdrawn = [0, 400, 800].map((skip) => ({ skip, forever: true }));
  expect(calls).toEqual([...withdrawn, 'erase']);
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

describe('an answer that is large', () => {
  const plan = { way: 'nothing' as const, used: [], scan: false, rows: 0, visited: 0, decoded: 0 };
  const about = { counter: 1, total: 1, more: false, next: null, plan };
  const { body } = packContent({ attributes: { text: 'x'.repeat(LIMITS.sentAtOnce) }, relationships: {} });
  const documents = ['1'.repeat(24), 1, 1, '', body].join('\u001f');
  const outputs = { ids: [idOf('1')], bodies: [body], relationships: null };
  const asked = { condition: '', hidden: [], viewer: null, rule: null };
  const select = { ...asked, sort: [], page: { offset: 0, limit: 1 } };
  let calls = 0;
  const answer = (value: unknown) => () => {
    calls += 1;
    return value;
  };
  const { environment } = bindings({
    list: answer(packList(ok({ ...about, documents }))),
    feed: answer(ok({ counter: 1, documents, told: [], mark: null, more: false })),
    aggregate: answer(ok({ ...about, documents: outputs, repeatable: true })),
    taken: () => undefined,
  });
  const ways = {
    list: (memory: RequestMemory) =>
      of(memory).list(select, ({ documents: { length } }) => Promise.resolve(ok(length))),
    feed: (memory: RequestMemory) => of(memory).feed({ ...asked, mark: null, limit: 1, units: 1 }),
    aggregate: (memory: RequestMemory) =>
      of(memory).aggregate({
        outputType: typeOf('agt.x'),
        pipeline: '[]',
        parameters: null,
        overrides: {},
        viewer: null,
        rule: null,
        select,
      }),
  };
  const of = (memory: RequestMemory) =>
    collectionOf({ environment, application: OWN, memory }, typeOf('large'));

  test.each(Object.entries(ways))('of a %s has its memory, before it is asked for again', async (_, ask) => {
    calls = 0;
    const [one, other] = [new RequestMemory(), new RequestMemory()];
    expect(await ask(one)).toMatchObject({ ok: true });
    // All but what the first one holds.
    const rest = takeMemory(LIMITS.answersLeaving - body.length - 100, 60_000) ?? expect.fail();
    expect(await ask(other)).toMatchObject({ ok: false, problems: [{ code: 'unavailable' }] });
    expect(calls).toBe(1);
    one.release();
    expect(await ask(other)).toMatchObject({ ok: true });
    other.release();
    giveBack(rest);
  });
});
