/** How long logins last (docs/accounts.md#sessions). */
import { join } from 'node:path';
import { until } from '../support/started.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, setAccounts } from '../support/accounts.ts';
import type { Client } from '../support/client.ts';
import { OwnService } from '../support/own-service.ts';
import { logIn, makeUser, PASSWORD, tokenOf } from '../support/people.ts';

const SETTINGS = '/users/core.account-settings';
const HOUR = 3_600_000;
/** Of now, as answers tell it. */
const hour = (later: number) =>
  `${new Date(Date.now() + later * HOUR).toISOString().slice(0, 13)}:00:00.000Z`;

let service: OwnService;
let client: Client;
let web: Client;
let settings: string;
beforeAll(async () => {
  service = await OwnService.start({ entry: join(import.meta.dirname, '../support/clock-worker.ts') });
  ({ client } = service);
  web = await client.withPermissions([
    ...ACCOUNTS_KEY,
    { path: '/users/core\\.session', methods: ['get'], acl: { active: true } },
  ]);
  settings = await setAccounts(client, {});
  await makeUser(client, 'ada');
});
afterAll(() => service.stop());
afterEach(() => clock(0));

const clock = (ahead: number) => fetch(`${service.url}/test/clock?ahead=${ahead}`, { method: 'POST' });
const set = (attributes: object) =>
  client.patch(`${SETTINGS}/${settings}`, {
    data: { type: 'core.account-settings', id: settings, attributes },
  });
const enter = async () => tokenOf(await logIn(web, 'ada', PASSWORD));
const statusOf = async (headers: Record<string, string>) =>
  (await web.get('/users/core.user/me', headers)).status;

describe('A login', () => {
  test.each([
    [null, 720],
    [1, 1],
    [24, 24],
  ])('under session-hours %j lasts %i hours', async (hours, lasts) => {
    expect((await set({ 'session-hours': hours })).status).toBe(200);
    const headers = await enter();
    await clock(lasts * HOUR - 60_000);
    expect(await statusOf(headers)).toBe(200);
    await clock(lasts * HOUR + 1_000);
    expect(await statusOf(headers)).toBe(401);
  });

  test('that is over is listed no more', async () => {
    await set({ 'session-hours': 2 });
    const over = (await logIn(web, 'ada', PASSWORD)).body.data.id;
    await clock(3 * HOUR);
    const { body } = await web.get('/users/core.session', await enter());
    expect(body.data.map(({ id }) => id)).not.toContain(over);
  });

  test('from before a change of the settings keeps its length', async () => {
    await set({ 'session-hours': 48 });
    const headers = await enter();
    await set({ 'session-hours': 1 });
    await clock(47 * HOUR);
    expect(await statusOf(headers)).toBe(200);
  });

  test.each([0, 721, 1.5, 'a day'])('has no length of %j hours', async (hours) => {
    expect((await set({ 'session-hours': hours })).status).toBe(422);
  });
});

test('The last use of a login is told to the hour', async () => {
  await set({ 'session-hours': null });
  const { body } = await logIn(web, 'ada', PASSWORD);
  const phone = { authorization: `Token ${String(body.data.attributes?.['token'])}` };
  const usedBy = async (headers: Record<string, string>) =>
    (await web.get('/users/core.session', headers)).body.data.find(({ id }) => id === body.data.id)
      ?.attributes?.['used'];
  expect(await usedBy(phone)).toBe(hour(0));
  await clock(5 * HOUR);
  const tablet = await enter();
  expect(await usedBy(tablet)).toBe(hour(0));
  expect(await usedBy(phone)).toBe(hour(5));
  await until('the use is noted', async () => (await usedBy(tablet)) === hour(5));
});
