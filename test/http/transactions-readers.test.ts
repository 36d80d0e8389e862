/** All ways to read while a list of two types is prepared, and once it has happened: the state before, then after. */
import { beforeEach, expect, test } from 'vitest';
import { defined, outputsPath } from '../support/aggregates.ts';
import { asOperator, type Link } from '../support/client.ts';
import { feedMeta } from '../support/feed.ts';
import { listed, versionsOf } from '../support/history.ts';
import { Stream } from '../support/live.ts';
import { add, operate, update } from '../support/operations.ts';
import { HALTING, SECRETS } from '../support/own-service.ts';
import { until } from '../support/started.ts';
import { settle } from '../support/type-settings.ts';
import { newService } from '../support/scope.ts';
import { explain, planOf } from '../support/plan.ts';

/** So many that groups are kept. */
const OTHERS = 1_500;
const LIST = 750;

const service = await newService({ entry: HALTING });
const { client } = service;

/** What changes is `n` of both: from 0 to the number of the run. */
let run = 0;
let [held, decides, linking]: readonly Link[] = [];
await settle(client, { name: 'k', history: 'forever' });
for (let from = 0; from < OTHERS; from += LIST)
  await operate(
    client,
    Array.from({ length: LIST }, () => add('k', { n: 0 })),
  );
await defined(client, 'sum', 'k', [
  { group: { id: 'all', n: { $sum: '$n' }, deviation: { $stdDevPop: '$n' } } },
]);
await defined(client, 'kept', 'k', [{ group: { id: 'all', n: { $sum: '$n' } } }]);
beforeEach(async () => {
  for (const call of ['prepare', 'decide']) await service.halt(call, 'free');
  run += 1;
  held = await client.make('k', { n: 0 });
  decides = await client.make('z', { n: 0 });
  linking = await client.make('links', {}, { to: { data: { type: 'k', id: held.id } } });
});

const link = (each: Link | undefined): Link => each ?? { type: '', id: '' };
const nOf = async (path: string): Promise<unknown> => (await client.get(path)).body.data.attributes?.['n'];
const sumOf = async (name: string): Promise<number> => {
  const reply = await explain(client, outputsPath(name), SECRETS.OPERATOR_SECRET);
  ways.add(planOf(reply).way);
  return Number(reply.body.data[0]?.attributes?.['n']);
};
const ways = new Set<string>();
/** What a sum has more than it has now. */
const moreThan = async (name: string) => {
  const before = await sumOf(name);
  return async () => (await sumOf(name)) - before;
};

type Ask = () => Promise<unknown>;

/** Each gives, after what must come before, a way to ask for `n` of the document. */
const READERS: Readonly<Record<string, () => Ask | Promise<Ask>>> = {
  'a read': () => () => nOf(`/resources/k/${held?.id}`),
  'a list': () => async () => (await client.get(`/resources/k?filter[n]=${run}`)).body.data.length * run,
  'an aggregate': () => moreThan('sum'),
  'an aggregate that has kept its groups': async () => {
    ways.clear();
    while (!ways.has('kept-groups')) {
      await operate(client, [update(link(held), { touched: Math.random() })]);
      await sumOf('kept');
    }
    return moreThan('kept');
  },
  changes: async () => {
    const { mark } = feedMeta(await client.get('/resources/k/changes?changes[since]=now'));
    return async () => {
      const { body } = await client.get(`/resources/k/changes?changes[since]=${mark}`);
      return body.data[0]?.attributes?.['n'] ?? 0;
    };
  },
  'an inclusion': () => async () => {
    const { body } = await client.get(`/resources/links/${linking?.id}?include=to`);
    return body.included[0]?.attributes?.['n'];
  },
  'a filter by a linked document': () => async () =>
    (await client.get(`/resources/links?filter[to.n]=${run}`)).body.meta.count === 1 ? run : 0,
  'a history': () => async () =>
    listed(await versionsOf(client, link(held))).includes('2 update') ? run : 0,
  'an export': () => async () => {
    const headers = asOperator(SECRETS.OPERATOR_SECRET);
    const path = `/applications/core.application/${client.application}/documents/k`;
    let next: string | undefined = `${service.url}${path}?page[after]=&page[size]=1000`;
    let text = '';
    while (next !== undefined) {
      const page: Response = await fetch(next, { headers });
      text += await page.text();
      next = /<([^>]+)>; *rel="?next/.exec(page.headers.get('link') ?? '')?.[1];
    }
    return text.includes(`"n":${run}`) ? run : 0;
  },
};

/** The list is prepared in `k`, then it has happened and `k` has not been told. */
async function inBothStates(prepared: () => Promise<void>, decided: () => Promise<void>): Promise<void> {
  await service.halt('prepare', 'hold-answer');
  await service.halt('decide', 'hold');
  const sent = operate(client, [update(link(held), { n: run }), update(link(decides), { n: run })]);
  await until('the share is prepared', async () => (await service.held()) === 1);
  await prepared();
  await service.halt('prepare', 'free-own');
  await until('the list has happened', async () => (await nOf(`/resources/z/${decides?.id}`)) === run);
  await decided();
  await service.halt('decide', 'free');
  expect((await sent).status).toBe(200);
}

test.each(Object.entries(READERS))('%s', async (_, begin) => {
  const ask = await begin();
  const asks = async (n: number) => {
    expect([await ask(), await ask()]).toEqual([n, n]);
  };
  await inBothStates(
    () => asks(0),
    () => asks(run),
  );
  await asks(run);
});

test('a moment that may be of the list shows the same before and after', async () => {
  const told: Promise<unknown>[] = [];
  let path = '';
  await inBothStates(
    async () => {
      path = `/resources/k/${held?.id}?at=${new Date().toISOString()}`;
      told.push(nOf(path));
      for (let n = 0; n < 9; n += 1) expect(await nOf(`/resources/k/${held?.id}`)).toBe(0);
    },
    async () => {
      told.push(nOf(path));
      expect(await Promise.all(told)).toEqual([run, run]);
    },
  );
});

test('a stream', async () => {
  const stream = new Stream(client, `/resources/k/changes?filter[n]=${run}`);
  expect(await stream.until('ready')).toEqual([]);
  const told = stream.next();
  await inBothStates(
    async () => {
      await stream.ping();
      expect(stream.events.map(({ event }) => event)).toEqual(['ready']);
    },
    async () => {
      expect((await told).data).toMatchObject({ id: held?.id, attributes: { n: run } });
    },
  );
  stream.end();
});
