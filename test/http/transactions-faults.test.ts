/** A list of several types whose steps fail, one after the other: all has happened or nothing; nothing stays locked. */
import { beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../support/faults.ts';
import { settle } from '../support/type-settings.ts';
import { until } from '../support/started.ts';
import { lookIntoFiles } from '../faults/files.ts';
import { asOperator, Client, type Resource } from '../support/client.ts';
import { add, operate, update } from '../support/operations.ts';
import { HALTING, SECRETS } from '../support/own-service.ts';
import { newService } from '../support/scope.ts';

const TYPES = ['a', 'b', 'c'] as const;

const service = await newService({ entry: HALTING });

let counters: Record<string, Resource>;
let run = 0;
beforeEach(async () => {
  run += 1;
  const made = TYPES.map(async (type) => [type, await service.client.make(type, { n: 0, run })] as const);
  counters = Object.fromEntries(await Promise.all(made));
});

const step = (type: string, n: number) => ({
  op: 'update',
  data: { type, id: counters[type]?.id, attributes: { n } },
});
const send = (n: number, headers = {}) =>
  operate(
    service.client,
    TYPES.map((type) => step(type, n)),
    headers,
  );
const read = async (type: string) =>
  (await service.client.get(`/resources/${type}/${counters[type]?.id}`)).body.data.attributes?.['n'];
const all = () => Promise.all(TYPES.map(read));
const listed = async (type: string) =>
  (await service.client.get(`/resources/${type}?filter[n]=7&filter[run]=${run}`)).body.meta.count;
const findings = async () => {
  const { url, application } = service.client;
  const headers = asOperator(SECRETS.OPERATOR_SECRET);
  const answer = await fetch(`${url}/applications/core.application/${application}/findings`, { headers });
  const { meta } = (await answer.json()) as { meta: { findings: { document: string; detail: string }[] } };
  return meta.findings;
};
const oneMore = (type: string) => ({
  type,
  id: counters[type]?.id,
  meta: { update: { $inc: { n: 1 } } },
});
const more = (type: string) => ({ op: 'update', data: oneMore(type) });
const addOne = (type: string) =>
  service.client.patch(`/resources/${type}/${counters[type]?.id}`, { data: oneMore(type) });
const patch = (type: string, n: number) =>
  service.client.patch(`/resources/${type}/${counters[type]?.id}`, {
    data: { type, id: counters[type]?.id, attributes: { n } },
  });

const open = () => {
  const { prepared, committed } = lookIntoFiles(service.folder);
  return { prepared, committed };
};

describe('before the commit', () => {
  test.each(['before', 'after'] as const)(
    'an answer that is lost %s its effect leaves nothing',
    async (how) => {
      await service.halt('prepare', how);
      const { status } = await send(7);
      await service.halt('prepare', 'free');
      expect(status).toBe(500);
      expect(await all()).toEqual([0, 0, 0]);
      expect((await patch('a', 1)).status).toBe(200);
      expect((await send(2)).status).toBe(200);
      expect(await all()).toEqual([2, 2, 2]);
    },
  );

  test('reads see the state before, and writes wait', async () => {
    await service.halt('prepare', 'hold-answer');
    const sent = send(7);
    await until('the shares are prepared', async () => (await service.held()) === 2);
    expect(await all()).toEqual([0, 0, 0]);
    expect(await listed('a')).toBe(0);
    await service.halt('decided', 'hold');
    const written = [addOne('a'), operate(service.client, [more('b')])];
    await until('both writes have come', async () => (await service.held()) === 4);
    await service.halt('decided', 'free-own');
    expect(await all()).toEqual([0, 0, 0]);
    await service.halt('prepare', 'free');
    expect((await sent).status).toBe(200);
    for (const each of written) expect((await each).status).toBe(200);
    expect(await all()).toEqual([8, 8, 7]);
  });

  test('a write that waits for too long is refused', async () => {
    await service.halt('prepare', 'hold-answer');
    const sent = send(7);
    await until('the shares are prepared', async () => (await service.held()) === 2);
    const patience = (ms: number) => fetch(`${service.url}/test/patience?ms=${ms}`);
    await patience(100);
    const { a } = counters;
    const refused = await Promise.all([
      addOne('a'),
      operate(service.client, [more('b')]),
      service.client.create('/resources/a'),
      service.client.delete(`/resources/a/${a?.id}`),
    ]);
    await patience(10_000);
    expect(refused.flatMap(faultsOf)).toEqual(Array(4).fill('503 unavailable'));
    for (const { headers } of refused) expect(headers.get('retry-after')).toBe('10');
    await service.halt('prepare', 'free');
    expect((await sent).status).toBe(200);
    expect(await all()).toEqual([7, 7, 7]);
    expect((await addOne('a')).status).toBe(200);
  });

  test('a document that ends while its change waits does not come back', async () => {
    await settle(service.client, { name: 'b', expires: 'until' });
    // A slow machine may send the change after its end: it finds nothing then, either.
    const until_ = { $date: new Date(Date.now() + 2_000).toISOString() };
    const { id } = await service.client.make('b', { until: until_, run });
    const ended = async () =>
      (await service.client.get(`/resources/b?filter[run]=${run}`)).body.meta.count === 1;
    await service.halt('prepare', 'hold-answer');
    const sent = send(7);
    await until('the shares are prepared', async () => (await service.held()) === 2);
    const data = { type: 'b', id, attributes: { until: { $date: '2999-01-01T00:00:00Z' } } };
    const changed = service.client.patch(`/resources/b/${id}`, { data });
    await until('the document has ended', ended);
    await service.halt('prepare', 'free');
    expect([(await sent).status, (await changed).status]).toEqual([200, 404]);
    expect(await ended()).toBe(true);
  });

  test('a read relies on no answer that was asked for before it began', async () => {
    await service.halt('prepare', 'hold-answer');
    await service.halt('decide', 'hold');
    const sent = send(7);
    await until('the shares are prepared', async () => (await service.held()) === 2);
    await service.halt('decided', 'hold-answer');
    const early = read('a');
    await until('the coordinator has said that nothing is decided', async () => (await service.held()) === 3);
    await service.halt('prepare', 'free-own');
    await until('the transaction has happened', async () => (await read('c')) === 7);
    const later = read('a');
    await service.halt('decided', 'free-own');
    expect(await Promise.all([early, later])).toEqual([0, 7]);
    await service.halt('decide', 'free');
    expect((await sent).status).toBe(200);
  });

  test('two lists that come at once to a collection are done one after the other', async () => {
    await service.halt('prepare', 'hold');
    const sent = ['b', 'c'].map((other) => operate(service.client, [more('a'), more(other)]));
    await until('both are asked for', async () => (await service.held()) === 2);
    await service.halt('prepare', 'free');
    for (const each of sent) expect((await each).status).toBe(200);
    expect(await all()).toEqual([2, 1, 1]);
  });

  test('what a check has looked at may change until all are prepared, and is looked at again', async () => {
    const checks = [{ name: 'open', filter: { 'of.n': { $lt: 5 } } }];
    await settle(service.client, { name: 'a-checked', checks });
    const of = { data: { type: 'b', id: counters['b']?.id } };
    const other = await service.client.make('b', { run });
    await service.halt('prepare b', 'hold');
    const sent = operate(service.client, [
      add('a-checked', { run }, { of }),
      update(other, { n: 1 }),
      step('c', 7),
    ]);
    await expect.poll(() => open().prepared).toBe(1);
    // It is answered when the list is decided.
    const closed = patch('b', 5);
    await until('the change is there', async () => (await read('b')) === 5);
    await service.halt('prepare b', 'free-own');
    expect(faultsOf(await sent)).toEqual(['403 rule-violated /atomic:operations/0/data/relationships/of']);
    expect((await closed).status).toBe(200);
    expect(await all()).toEqual([0, 5, 0]);
  });

  test('a process that dies leaves nothing', async () => {
    await service.halt('prepare', 'hold-answer');
    const sent = send(7).catch(() => null);
    await until('the shares are prepared', async () => (await service.held()) === 2);
    await service.restart();
    await sent;
    expect(await all()).toEqual([0, 0, 0]);
    expect((await patch('a', 1)).status).toBe(200);
  });
});

describe('where nobody tells or asks', () => {
  test('a share is applied, and the commit forgotten', async () => {
    await service.halt('decide', 'before');
    const sent = send(7);
    await until('the transaction has happened', async () => (await read('c')) === 7);
    await expect.poll(open).toEqual({ prepared: 0, committed: 1 });
    await service.halt('decide', 'free');
    await expect.poll(open).toEqual({ prepared: 0, committed: 0 });
    expect((await sent).status).toBe(200);
    expect(await all()).toEqual([7, 7, 7]);
  });

  test('a share that is prepared after its list was aborted goes', async () => {
    await service.halt('prepare a', 'before');
    await service.halt('prepare b', 'hold');
    await service.halt('decided', 'hold');
    expect((await send(7)).status).toBe(500);
    expect(await service.held()).toBe(1);
    await service.halt('prepare b', 'free-own');
    // It is prepared now, and asks.
    await until('the coordinator is asked', async () => (await service.held()) === 1);
    await service.halt('prepare a', 'free-own');
    await service.halt('decided', 'free');
    expect((await patch('b', 1)).status).toBe(200);
    expect(await all()).toEqual([0, 1, 0]);
    await expect.poll(open).toEqual({ prepared: 0, committed: 0 });
    expect((await send(2)).status).toBe(200);
  });

  test('a share that is aborted goes, and its room is free', async () => {
    const operator = service.operator;
    const { id, apiKey } = await operator.create('room');
    // Its key is one.
    await operator.change(id, { quotas: { documents: 4 } });
    const own = () => new Client(service.url, id, apiKey);
    await service.halt('prepare', 'hold-answer');
    const sent = operate(
      own(),
      TYPES.map((type) => add(type)),
    ).catch(() => null);
    await until('the shares are prepared', async () => (await service.held()) === 2);
    await service.restart();
    await sent;
    const three = Array.from({ length: 3 }, () => add('c'));
    await expect.poll(async () => (await operate(own(), three)).status).toBe(200);
    await expect.poll(open).toEqual({ prepared: 0, committed: 0 });
  });
});

describe('after the commit', () => {
  test.each(['before', 'after'] as const)(
    'a decision that is lost %s its effect is told again',
    async (how) => {
      await service.halt('decide', how);
      const sent = send(7);
      await until('the transaction has happened', async () => (await read('c')) === 7);
      // Whoever has seen one change sees all.
      expect(await all()).toEqual([7, 7, 7]);
      expect([await listed('a'), await listed('b')]).toEqual([1, 1]);
      expect((await patch('a', 8)).status).toBe(200);
      await service.halt('decide', 'free');
      const { status, results } = await sent;
      expect(status).toBe(200);
      // The result is of the transaction, not of what came after it.
      expect(results.map(({ data }) => data?.attributes?.['n'])).toEqual([7, 7, 7]);
      expect(await all()).toEqual([8, 7, 7]);
    },
  );

  test('a process that dies has done all of it', async () => {
    await service.halt('decide', 'hold');
    const sent = send(7).catch(() => null);
    await until('the transaction has happened', async () => (await read('c')) === 7);
    await service.restart();
    await sent;
    expect(await read('a')).toBe(7);
    expect(await all()).toEqual([7, 7, 7]);
    expect((await send(2)).status).toBe(200);
  });

  // At the end of the first mebibyte, one of both has half a character.
  test.each(['', 'x'])(
    'a share of more than a mebibyte survives, with %j before its texts',
    async (before) => {
      const texts = ['€', '☂', '字'].map((each) => before + each.repeat(300_000));
      await service.halt('decide', 'hold');
      const adds = texts.map((text, at) => add('a', { text, at, run }));
      const sent = operate(service.client, [...adds, step('c', 7)]).catch(() => null);
      await until('the transaction has happened', async () => (await read('c')) === 7);
      await service.restart();
      await sent;
      const { body } = await service.client.get(
        `/resources/a?filter[run]=${run}&filter[text]={"$exists":true}&sort=at`,
      );
      const isSame = body.data.map(({ attributes }, at) => attributes?.['text'] === texts[at]);
      expect(isSame).toEqual([true, true, true]);
    },
  );

  test('who can not ask the coordinator answers nothing', async () => {
    await service.halt('decide', 'hold');
    await service.halt('decided', 'before');
    const sent = send(7);
    await until('the transaction has happened', async () => (await read('c')) === 7);
    expect((await service.client.get('/resources/a')).status).toBe(500);
    const told = await findings();
    expect(told.map(({ document }) => document).toSorted()).toEqual(['/resources/a', '/resources/b']);
    expect(told[0]?.detail).toMatch(
      /^Writes have waited since .* for a list of several types: c does not say/,
    );
    await service.halt('decided', 'free');
    // Whoever asks ends what is decided.
    expect(await findings()).toEqual([]);
    expect(await all()).toEqual([7, 7, 7]);
    await service.halt('decide', 'free');
    expect((await sent).status).toBe(200);
  });

  test('the first write of a process may be one, and its tags hold', async () => {
    await service.restart();
    const { status, results } = await send(7);
    expect(status).toBe(200);
    for (const [at, { meta }] of results.entries()) {
      const type = TYPES[at] ?? '';
      const headers = { 'if-none-match': meta?.etag ?? '' };
      const path = `/resources/${type}/${counters[type]?.id}`;
      expect((await service.client.get(path, headers)).status, type).toBe(304);
      await patch(type, 8);
      expect((await service.client.get(path, headers)).status, type).toBe(200);
    }
  });

  test('a list whose answer was lost is answered when it is sent again', async () => {
    const headers = { 'idempotency-key': 'lost' };
    await service.halt('transact', 'after');
    const lost = await send(7, headers);
    await service.halt('transact', 'free');
    expect(lost.status).toBe(500);
    const again = await send(7, headers);
    expect(again.status).toBe(200);
    expect(again.results.map(({ data }) => data?.attributes?.['n'])).toEqual([7, 7, 7]);
    expect(await all()).toEqual([7, 7, 7]);
  });
});
