/** A history that is held (docs/history.md#hold): till then nobody removes it, not even the operator. */
import { describe, expect, test } from 'vitest';
import { app } from '../support/app.ts';
import { Client, pathOf, type Link, type Reply } from '../support/client.ts';
import { change, listed, restore, versionOf, versionsOf } from '../support/history.ts';
import { grant, makeUser, underAcl } from '../support/people.ts';
import { codes } from '../support/rules.ts';
import { callOperator, imported } from '../support/transfer.ts';
import { resettle, settingsOf, settle } from '../support/type-settings.ts';

const [SOONER, UNTIL, LATER] = ['2998-01-01T00:00:00Z', '2999-01-01T00:00:00Z', '3000-01-01T00:00:00Z'];

let types = 0;
const client = await Client.create();

async function newType(history: unknown = { hold: UNTIL }): Promise<string> {
  const type = `held${(types += 1)}`;
  const settled = await settle(client, { name: type, history });
  if (settled.status !== 201) throw new Error(settled.text);
  return type;
}

const PAST = { $date: '2020-01-01T00:00:00Z' };
const told = (reply: Reply) => [reply.status, ...(reply.status < 400 ? [] : codes(reply))];
const HELD = [409, 'history-held'];

describe('the settings of a held type', () => {
  test.each([
    ['off', null],
    ['without the hold', { days: 1 }],
    ['for good without the hold', 'forever'],
    ['held for a shorter time', { hold: SOONER }],
  ])('do not become: %s', async (_, history) => {
    const type = await newType();
    const made = await client.make(type, { n: 1 });
    await change(client, made, { n: 2 });
    expect(told(await resettle(client, type, { history }))).toEqual(HELD);
    expect((await settingsOf(client, type)).attributes?.['history']).toEqual({ hold: UNTIL });
    expect(listed(await versionsOf(client, made))).toEqual(['2 update', '1 create']);
  });

  test('are not deleted', async () => {
    const { id } = await settingsOf(client, await newType());
    expect(told(await client.delete(`/schemas/core.type/${id}`))).toEqual(HELD);
  });

  test.each([
    ['held for longer', { history: { hold: LATER } }],
    ['held as long, with other bounds', { history: { days: 1, versions: 1, hold: UNTIL } }],
    ['others beside the history', { text: true }],
  ])('become: %s', async (_, settings) => {
    expect((await resettle(client, await newType(), settings)).status).toBe(200);
  });

  test('are free when the hold has ended', async () => {
    const type = await newType({ days: 30, hold: '2020-01-01T00:00:00Z' });
    expect((await resettle(client, type, { history: null })).status).toBe(200);
  });
});

test('a held history has all versions, whatever else it says', async () => {
  const made = await client.make(await newType({ versions: 1 }), { n: 1 });
  await resettle(client, made.type, { history: { versions: 1, hold: UNTIL } });
  for (let n = 2; n <= 4; n += 1) await change(client, made, { n });
  expect(listed(await versionsOf(client, made))).toHaveLength(4);
  expect((await versionOf(client, made, 1)).body.data.attributes).toEqual({ n: 1 });
});

test('when the hold ends, what else the settings say holds', async () => {
  const hold = new Date(Date.now() + 2_000).toISOString();
  const made = await client.make(await newType({ versions: 1, hold }), { n: 1 });
  for (let n = 2; n <= 4; n += 1) await change(client, made, { n });
  const kept = async () => listed(await versionsOf(client, made));
  await expect.poll(kept).toEqual(['4 update', '3 update']);
  expect((await resettle(client, made.type, { history: null })).status).toBe(200);
});

test('an import does not bring settings without the hold', async () => {
  const type = await newType();
  const { id } = await settingsOf(client, type);
  const line = { type: 'core.type', id, attributes: { name: type, history: { days: 1 } } };
  const told = await imported(client.application, 'core.type', `${JSON.stringify(line)}\n`);
  expect(told.text).toContain('history-held');
  expect((await settingsOf(client, type)).attributes?.['history']).toEqual({ hold: UNTIL });
});

test.each([
  ['by a request', async (made: Link) => void (await client.delete(pathOf(made)))],
  ['by their date', async (made: Link) => void (await change(client, made, { ends: PAST }))],
  [
    'by the operator',
    async ({ type }: Link) =>
      void (await app(['delete-documents', client.application, type, '{"n": 1}'], `${type}\n`)),
  ],
])('documents are deleted all the same %s, and stay in the trash', async (_, remove) => {
  const type = await newType({ days: 1, hold: UNTIL });
  await resettle(client, type, { expires: 'ends' });
  const made = await client.make(type, { n: 1 });
  await remove(made);
  expect((await client.get(pathOf(made))).body.data).toBeNull();
  expect((await client.get(`/resources/${made.type}?deleted=true`)).body.data.map(({ id }) => id)).toEqual([
    made.id,
  ]);
  expect((await restore(client, made, 1)).status).toBe(200);
});

describe('the operator', () => {
  async function holdIn(): Promise<Client> {
    const own = await Client.create();
    await settle(own, { name: 'ledgers', history: { hold: UNTIL } });
    await own.make('ledgers', { n: 1 });
    return own;
  }

  test.each([
    ['delete the application', 'DELETE', ''],
    ['end it', 'POST', '/deletion'],
    [
      'reset it to a moment',
      'POST',
      `/history/${new Date(Date.now() - 60_000).toISOString().slice(0, 19).replaceAll(':', '-')}Z`,
    ],
  ])('can not %s', async (_, method, path) => {
    const own = await holdIn();
    const answer = await callOperator(method, `${own.application}${path}`);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('history-held');
    expect((await own.get('/resources/ledgers')).body.meta.count).toBe(1);
  });

  test('erases a person but in what is held, and is told so', async () => {
    const own = await holdIn();
    await settle(own, { name: 'notes', history: 'forever' });
    const acl = await underAcl(own);
    const ada = await makeUser(own, 'ada');
    for (const type of ['ledgers', 'notes']) {
      const made = await own.make(type, { n: 1 });
      await grant(own, pathOf(made), { read: '*', update: '*' });
      await change(acl, made, { n: 2 }, ada.headers);
    }
    const erased = await app(['erase', own.application, ada.link.id], `${ada.link.id}\n`);
    expect(erased).toContain('ledgers  former versions may name them: they are held');
    const users = async (type: string) => {
      const [document] = (await own.get(`/resources/${type}?sort=-id`)).body.data;
      return (await versionsOf(own, { type, id: document?.id ?? '' })).body.data.map(
        ({ attributes }) => attributes?.['user'],
      );
    };
    expect(await users('ledgers')).toEqual([ada.link, null]);
    expect(await users('notes')).toEqual(['erased', null]);
  });
});
