/** A share that is prepared: what is read for others who rely on it, and who asks, while the share is decided. */
import { expect, test } from 'vitest';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { PreparedShare } from '../../src/collection/write/transactions/prepared.ts';
import type { Decision } from '../../src/collection/rpc/writes/transactions.ts';
import { applicationId, typeOf } from '../support/names.ts';

const target = { application: applicationId('a'.repeat(24)), type: typeOf('rooms') };
const share = {
  ...{ id: 'a-list', coordinator: typeOf('wallets'), now: 0 },
  parts: [{ target, list: { operations: [], actors: [] } }],
};

/** A collection that is asked while its share is being prepared; its coordinator says these, one after the other. */
function collectionWith(...decisions: readonly Decision[]) {
  const [said, kept] = [[...decisions], new Map<string, unknown>()];
  const environment = {
    COLLECTIONS: {
      idFromName: (name: string) => name,
      get: () => ({ call: () => Promise.resolve(said.shift()) }),
    },
  } as unknown as Environment;
  const kv = {
    get: (key: string) => kept.get(key),
    put: (key: string, value: unknown) => kept.set(key, value),
    delete: (key: string) => kept.delete(key),
  } as unknown as DurableObjectStorage['kv'];
  const alarms = { getAlarm: () => Promise.resolve(null), setAlarm: () => Promise.resolve() };
  let state = 'before';
  const applied: string[] = [];
  const apply = ({ id }: { readonly id: string }) => {
    applied.push(id);
    state = 'after';
    prepared.release();
    return Promise.resolve();
  };
  const prepared = new PreparedShare({ environment, storage: { kv, ...alarms }, listWrites: { apply } });
  const reads: string[] = [];
  const lend = () =>
    prepared.lend(() => {
      if (reads.push(state) === 1) prepared.hold(share);
      return state;
    });
  return { applied, lend, prepared, reads, said };
}

test.each<[Decision, string, readonly string[]]>([
  ['committed', 'after', ['before', 'after']],
  ['pending', 'before', ['before']],
  ['aborted', 'before', ['before']],
])('what is lent while a share is prepared that is %s is as %s', async (decision, state, all) => {
  const { lend, reads, said } = collectionWith(decision);
  expect([await lend(), reads, said]).toEqual([state, all, []]);
});

test('a share that several hear of at once is applied once', async () => {
  const { applied, prepared } = collectionWith('committed', 'committed');
  prepared.hold(share);
  await Promise.all([prepared.seen(), prepared.free(), prepared.decide(share.id, true)]);
  expect(applied).toEqual([share.id]);
});

test('what is heard late of a share leaves the next one alone', async () => {
  const { applied, prepared } = collectionWith('aborted');
  prepared.hold(share);
  const asked = prepared.seen();
  await prepared.decide(share.id, false);
  prepared.hold({ ...share, id: 'the-next' });
  await asked;
  expect([prepared.state?.id, applied]).toEqual(['the-next', []]);
});
