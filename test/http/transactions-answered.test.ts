/** A list of several types is answered with its commit, and not before all know who looked at what it changes. */
import { beforeEach, expect, test } from 'vitest';
import type { Client, Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate, update } from '../support/operations.ts';
import { HALTING } from '../support/own-service.ts';
import { until } from '../support/started.ts';
import { settle } from '../support/type-settings.ts';
import { newService } from '../support/scope.ts';

const service = await newService({ entry: HALTING });
const client: Client = service.client;

let run = 0;
let documents: readonly Resource[] = [];
beforeEach(async () => {
  for (const call of ['prepare', 'decide']) await service.halt(call, 'free');
  run += 1;
  documents = await Promise.all(['a', 'b', 'c'].map((type) => client.make(`${type}${run}`, { n: 0 })));
});

const send = () =>
  operate(
    client,
    documents.map((each) => update(each, { n: 7 })),
  );
const read = async ({ type, id }: Resource) =>
  (await client.get(`/resources/${type}/${id}`)).body.data.attributes?.['n'];
/** Resolves when the last type has decided the list, whose others cannot be told yet. */
const decided = async () => {
  await service.halt('decide', 'hold');
  await service.halt('prepare', 'free-own');
  await until('the others are to be told', async () => (await service.held()) === 2);
};

test('the others are told meanwhile', async () => {
  await service.halt('decide', 'hold');
  expect((await send()).status).toBe(200);
  expect(await Promise.all(documents.map(read))).toEqual([7, 7, 7]);
  await service.halt('decide', 'free');
});

test.each(['before', 'meanwhile'])(
  'it waits until they are told whose checks have looked %s',
  async (when) => {
    const [first, , last] = documents;
    const name = `checked${run}`;
    await settle(client, { name, checks: [{ name: 'open', filter: { 'of.n': { $lt: 5 } } }] });
    const look = () => operate(client, [add(name, {}, { of: { data: { type: `a${run}`, id: first?.id } } })]);
    if (when === 'before') expect((await look()).status).toBe(200);
    await service.halt('prepare', 'hold-answer');
    let isAnswered = false;
    const sent = send().finally(() => (isAnswered = true));
    await until('the shares are prepared', async () => (await service.held()) === 2);
    if (when === 'meanwhile') expect((await look()).status).toBe(200);
    await decided();
    for (let time = 0; time < 10; time += 1) expect(last && (await read(last))).toBe(7);
    expect(isAnswered).toBe(false);
    await service.halt('decide', 'free');
    expect((await sent).status).toBe(200);
    expect(faultsOf(await look())).toEqual(['403 rule-violated /atomic:operations/0/data/relationships/of']);
  },
);
