/** Lists of the same types that wait for one another are decided together: each as if it were alone. */
import { describe, expect, test } from 'vitest';
import { asOperator, type Link, type Resource } from '../support/client.ts';
import { add, operate, remove, update, type Results } from '../support/operations.ts';
import { HALTING, SECRETS } from '../support/own-service.ts';
import { makeUser, underAcl, type Person } from '../support/people.ts';
import { until } from '../support/started.ts';
import { settle } from '../support/type-settings.ts';
import { newService } from '../support/scope.ts';

const service = await newService({ entry: HALTING });
const { client } = service;

/**
 * Sends lists that the coordinator decides together: the first is on its way until all others wait. Answers what the
 * others come to, and how many calls have prepared them in each of the two collections before the last type.
 */
async function together(first: () => Promise<Results>, others: readonly (() => Promise<Results>)[]) {
  await service.halt('prepare', 'hold-answer');
  const alone = first();
  await until('the first list is prepared', async () => (await service.held()) === 2);
  await service.halt('transact', 'hold');
  const sent = others.map((send) => send());
  await until('the others have come', async () => (await service.held()) === 2 + others.length);
  await service.halt('transact', 'free');
  expect((await alone).status).toBe(200);
  await until('the others are prepared', async () => (await service.held()) > 0);
  await service.halt('prepare', 'free');
  return Promise.all(sent);
}

const order = (item: Link, n: number) => [
  { op: 'update', data: { type: item.type, id: item.id, meta: { update: { $inc: { stock: -1 } } } } },
  add(`${item.type}-lines`, { n }),
  add(`${item.type}-orders`, { n }),
];
const stockOf = async ({ type, id }: Link) =>
  (await client.get(`/resources/${type}/${id}`)).body.data.attributes?.['stock'];
const ordersOf = async ({ type }: Link) =>
  (await client.get(`/resources/${type}-orders?sort=n`)).body.data.map(({ attributes }) => attributes?.['n']);
const statuses = (replies: readonly Results[]) => replies.map(({ status }) => status);

describe('lists that are decided together', () => {
  test('are all done, and each has its own results', async () => {
    const item = await client.make('g1', { stock: 10 });
    const send = (n: number) => () => operate(client, order(item, n));
    const replies = await together(send(0), [1, 2, 3, 4].map(send));
    expect(statuses(replies)).toEqual([200, 200, 200, 200]);
    const results = replies.map(({ results: [changed, line, made] }) => [
      changed?.data?.attributes?.['stock'],
      line?.data?.attributes?.['n'],
      made?.data?.attributes?.['n'],
    ]);
    // One after the other, in whatever order they came.
    expect(results.map(([stock]) => stock).toSorted()).toEqual([5, 6, 7, 8]);
    expect(results.map(([, line, made]) => [line, made])).toEqual([1, 2, 3, 4].map((n) => [n, n]));
    expect(await stockOf(item)).toBe(5);
    expect(await ordersOf(item)).toEqual([0, 1, 2, 3, 4]);
  });

  test('are done without those that fail, which say why', async () => {
    const item = await client.make('g2', { stock: 3 });
    const checks = [{ name: 'left', filter: { stock: { $gte: 0 } }, message: 'There is none left.' }];
    await settle(client, { name: 'g2', checks });
    const send = (n: number) => () => operate(client, order(item, n));
    const replies = await together(send(0), [1, 2, 3, 4].map(send));
    expect(statuses(replies).toSorted()).toEqual([200, 200, 403, 403]);
    for (const { body } of replies.filter(({ status }) => status === 403)) {
      expect([body.errors[0]?.detail, body.errors[0]?.source?.pointer]).toEqual([
        'There is none left.',
        '/atomic:operations/0/data/attributes/stock',
      ]);
    }
    expect(await stockOf(item)).toBe(0);
    expect(await ordersOf(item)).toHaveLength(3);
  });

  test('are done once for each Idempotency-Key, and answered alike', async () => {
    const item = await client.make('g3', { stock: 10 });
    const send = (n: number) => operate(client, order(item, n), { 'idempotency-key': `g3-${n}` });
    const replies = await together(
      () => send(0),
      [1, 2, 3].map((n) => () => send(n)),
    );
    const again = await Promise.all([1, 2, 3].map((n) => send(n)));
    expect(again.map(({ body }) => body)).toEqual(replies.map(({ body }) => body));
    const twice = await together(() => send(4), [() => send(5), () => send(5), () => send(6)]);
    expect(statuses(twice)).toEqual([200, 200, 200]);
    expect(twice[1]?.body).toEqual(twice[0]?.body);
    expect(await ordersOf(item)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await stockOf(item)).toBe(3);
  });

  test('wait for one that is sent again while it runs, and answer alike', async () => {
    const item = await client.make('g6', { stock: 1 });
    const gone = await client.make('g6-lines', {});
    const list = [...order(item, 0), remove(gone)];
    const send = () => operate(client, list, { 'idempotency-key': 'g6' });
    await service.halt('prepare', 'hold-answer');
    const first = send();
    await until('the list is prepared', async () => (await service.held()) === 2);
    await service.halt('transact', 'hold');
    const again = send();
    await until('it has come again', async () => (await service.held()) === 3);
    await service.halt('transact', 'free');
    await service.halt('prepare', 'free');
    const { status, text } = await first;
    expect([status, (await again).text]).toEqual([200, text]);
    expect(await stockOf(item)).toBe(0);
  });

  test('are judged by what the one before has left, where checks look at documents', async () => {
    const line = await client.make('g5-lines', { n: 0 });
    await settle(client, { name: 'g5', checks: [{ name: 'open', filter: { 'of.n': { $lt: 5 } } }] });
    const of = { data: { type: line.type, id: line.id } };
    const send = (n: number) => () =>
      operate(client, [add('g5', { n }, { of }), update(line, { n }), add('g5-orders', { n })]);
    const replies = await together(send(0), [send(5), send(5), send(5)]);
    expect(statuses(replies).toSorted()).toEqual([200, 403, 403]);
    expect(await ordersOf({ type: 'g5', id: '' })).toEqual([0, 5]);
  });

  test('are written by their own senders, for rights and for the audit trail', async () => {
    const people = await Promise.all(['ada', 'bob', 'eve'].map((name) => makeUser(client, name)));
    const data = { type: 'core.application', id: client.application, attributes: { 'audit-days': 30 } };
    const secret = asOperator(SECRETS.OPERATOR_SECRET);
    await client.patch(`/applications/core.application/${client.application}`, { data }, secret);
    const under = await underAcl(client);
    const list = (n: number) => ['g4-a', 'g4-b', 'g4-c'].map((type) => add(type, { n }));
    const send = ({ headers }: Person, n: number) => operate(under, list(n), headers);
    const [ada, bob, eve] = people as [Person, Person, Person];
    const replies = await together(
      () => send(ada, 0),
      people.map((person, n) => () => send(person, n)),
    );
    const made = replies.map(({ results }) => results.map(({ data }) => data as Resource));
    for (const [at, person] of [ada, bob, eve].entries()) {
      for (const { type, id } of made[at] ?? []) {
        const path = `/resources/${type}/${id}`;
        expect((await under.get(path, person.headers)).status).toBe(200);
        const other = people[(at + 1) % 3]?.headers ?? {};
        expect((await under.get(path, other)).status).toBe(403);
        const trail = `/audit/core.audit-entry?filter[target-id]="${id}"`;
        await expect.poll(async () => (await client.get(trail)).body.meta.count).toBe(1);
        const [entry] = (await client.get(trail)).body.data;
        expect(entry?.attributes?.['user']).toMatchObject({ id: person.link.id });
      }
    }
  });
});
