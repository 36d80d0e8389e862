/** What collections know of one another where rules look at linked documents: who hears of a change, and how long. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import type { Transactor } from '../../src/collection/write/transactor.ts';
import { Watchers } from '../../src/collection/write/rules/watchers.ts';
import { Watching } from '../../src/collection/write/rules/watching.ts';
import { storedId, type ApplicationId, type DocumentId } from '../../src/domain/ids.ts';
import { packDocuments } from '../../src/collection/rpc/packing/packing.ts';
import { storedType } from '../../src/domain/types.ts';

const LEASE = 30_000;
const application = 'an-application' as ApplicationId;
const [channels, messages] = [storedType('channels'), storedType('messages')];

/** The calls that collections make, and what each is answered. */
let calls: string[];
let answer: () => unknown;

const environment = {
  COLLECTIONS: {
    idFromName: (name: string) => name,
    get: (name: string) => ({
      call: (_target: unknown, ...given: readonly unknown[]) => {
        calls.push([name, ...given].join(' '));
        return Promise.resolve(answer());
      },
    }),
  },
} as unknown as Environment;

let counter: number;
const tables = { records: { counter: () => counter } } as unknown as Pick<Transactor, 'records'>;

beforeEach(() => {
  calls = [];
  answer = () => undefined;
  counter = 5;
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
  vi.stubGlobal('scheduler', { wait: () => new Promise(() => undefined) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('those who watch', () => {
  const kept = new Map<string, unknown>();
  const kv = {
    get: (key: string) => kept.get(key),
    put: (key: string, value: unknown) => kept.set(key, value),
    delete: (key: string) => kept.delete(key),
    list: () => kept.entries(),
  } as unknown as DurableObjectStorage['kv'];
  const make = () =>
    new Watchers({
      environment,
      storage: { kv },
      own: { application, type: channels },
      tables,
      writes: { hasTables: true, sealed: false },
    });
  const told = 'an-application/messages linkedChanged channels';

  beforeEach(() => {
    kept.clear();
  });

  test('are told of each change, once', async () => {
    const watchers = make();
    watchers.watch(messages);
    counter = 6;
    await Promise.all([watchers.notified(), watchers.notified()]);
    await watchers.notified();
    expect(calls).toEqual([`${told} 6`]);
  });

  test('are waited for', async () => {
    const watchers = make();
    watchers.watch(messages);
    const { promise, resolve } = Promise.withResolvers<null>();
    answer = () => promise;
    let isTold = false;
    const telling = watchers.notified().then(() => {
      isTold = true;
    });
    await new Promise((done) => setImmediate(done));
    expect([calls.length, isTold]).toEqual([1, false]);
    resolve(null);
    await telling;
  });

  test('are known to an object that begins anew, as long as their leases may last', async () => {
    make().watch(messages);
    await make().notified();
    expect(calls).toEqual([`${told} 5`]);
  });

  test('are told without a lease, unwaited for, as long as they have streams that look', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    make().watch(messages);
    const later = make();
    vi.setSystemTime(Date.now() + 2 * LEASE);
    answer = () => promise;
    for (counter of [5, 6]) await later.notified();
    resolve(true);
    await promise;
    answer = () => false;
    for (counter of [7, 8]) {
      await later.notified();
      await new Promise((done) => setImmediate(done));
    }
    expect(calls).toEqual([5, 6, 7].map((n) => `${told} ${n}`));
    await make().notified();
    expect(calls).toHaveLength(3);
  });

  test('are none in a collection at which no rule looks', async () => {
    await make().notified();
    expect(calls).toEqual([]);
  });
});

describe('a collection whose rules look at another', () => {
  const make = () =>
    new Watching({
      environment,
      own: { application, type: messages },
      tables,
      prepared: { free: () => Promise.resolve() },
    });
  const seen = (at: number, type = channels) => [{ type, counter: at }];
  const read = (at: number, ids: readonly DocumentId[] = []) => ({
    counter: at,
    complete: true,
    documents: packDocuments(ids.map((id) => [id, at, 0, '', '{}'].join('\u001f'))),
  });
  const [one, other] = [storedId('a'.repeat(24)), storedId('b'.repeat(24))];
  const asked = 'an-application/channels watch messages';

  test('writes nothing before it is sure to be told', async () => {
    const watching = make();
    answer = () => read(5);
    expect(watching.changed(seen(5))).not.toBeNull();
    await watching.sure(seen(5));
    await watching.sure(seen(5));
    expect(calls).toEqual([`${asked} `]);
    expect(watching.changed(seen(5))).toBeNull();
    vi.setSystemTime(Date.now() + LEASE);
    expect(watching.changed(seen(5))).not.toBeNull();
  });

  test('writes nothing by what has changed since, whenever it was told', async () => {
    const watching = make();
    answer = () => {
      void watching.notified(channels, 6);
      return read(5);
    };
    await watching.sure(seen(5));
    expect([watching.changed(seen(5)), watching.changed(seen(6))].map((each) => each === null)).toEqual([
      false,
      true,
    ]);
    await watching.notified(channels, 4);
    expect(watching.changed(seen(6))).toBeNull();
  });

  test('asks once for all who ask while a call is on its way, and alone where that is too much', async () => {
    const watching = make();
    answer = () => read(5, [one, other]);
    const looks = [one, one, other, one].map((id) => watching.look(channels, [id]));
    expect((await Promise.all(looks)).map(({ documents }) => documents.size)).toEqual([2, 2, 2, 2]);
    expect(calls).toEqual([`${asked} ${one},${other}`]);
    calls = [];
    answer = () => {
      const isAlone = !calls.at(-1)?.includes(',');
      return isAlone ? read(6, [one]) : { ...read(6), complete: false };
    };
    const first = watching.look(channels, [one]);
    await Promise.resolve();
    await Promise.resolve();
    const later = await Promise.all([one, other].map((id) => watching.look(channels, [id])));
    expect([await first, ...later].map(({ complete }) => complete)).toEqual([true, true, true]);
    expect(calls).toEqual([one, `${one},${other}`, one, other].map((ids) => `${asked} ${ids}`));
  });

  test('asks itself nothing', async () => {
    const watching = make();
    await watching.sure(seen(5, messages));
    expect(calls).toEqual([]);
    expect(watching.changed(seen(5, messages))).toBeNull();
    counter = 6;
    expect(watching.changed(seen(5, messages))).not.toBeNull();
  });
});
