/** Mails that could not be sent (docs/accounts.md#mail): an application sees them, and sends them again. */
import { afterAll, expect, test } from 'vitest';
import { ACCOUNTS_KEY, setAccounts, signUp } from '../support/accounts.ts';
import type { Client } from '../support/client.ts';
import { OwnService, workerNamed } from '../support/own-service.ts';
import { codes } from '../support/rules.ts';
import { ACL, may } from '../support/people.ts';

const DELIVERIES = '/users/core.mail/deliveries';
const ENTRY = workerNamed('clock');
// Nobody listens there.
const SMTP_URL = 'smtp://127.0.0.1:9';

let service: OwnService;
let client: Client;
let web: Client;
service = await OwnService.start({
  entry: ENTRY,
  settings: { SMTP_URL, DELIVERY_PAUSE: '50', DELIVERY_TRIES: '2' },
});
await open();
afterAll(() => service.stop());

async function open(): Promise<void> {
  ({ client } = service);
  web = await client.withPermissions(ACCOUNTS_KEY);
  await setAccounts(client, { 'sign-up': 'open', sender: 'shop@example.com' });
}

const newUser = (username: string) =>
  signUp(web, { username, email: `${username}@shop.example`, password: 'a long difference' });
const read = async () => (await client.get(DELIVERIES)).body.meta;
const until = (dead: number) => expect.poll(read).toMatchObject({ dead, waiting: 0 });

test('a mail that was given up is told, without what it says, and sent again', async () => {
  expect(await read()).toEqual({ waiting: 0, dead: 0, deliveries: [] });
  await newUser('ada');
  await until(1);
  const { deliveries } = await read();
  expect(deliveries).toEqual([
    {
      id: expect.any(String) as string,
      ...{ state: 'dead', event: 'confirm-address', tries: 2 },
      document: { type: 'core.account-action', id: expect.stringMatching(/^[0-9a-f]{24}$/) as string },
      created: expect.any(String) as string,
      failure: expect.stringMatching(/server|network|connect/i) as string,
      'given-up': expect.any(String) as string,
    },
  ]);
  const again = await client.post(DELIVERIES, { meta: { ids: '*' } });
  expect(again.body.meta).toEqual({ count: 1 });
  await until(1);
  expect(codes(await client.post(DELIVERIES, { meta: { ids: [] } }))).toEqual(['invalid-body']);
});

test('a mail whose code has ended before it could be sent is given up, and not forgotten', async () => {
  await service.stop();
  service = await OwnService.start({ entry: ENTRY, settings: { SMTP_URL, DELIVERY_PAUSE: '1500' } });
  await open();
  await newUser('grace');
  await expect.poll(async () => (await read())['waiting']).toBe(1);
  await expect.poll(async () => JSON.stringify(await read())).toContain('"tries":1');
  const many = 12;
  for (let each = 1; each < many; each += 1) await newUser(`grace${each}`);
  await fetch(`${service.url}/test/clock?ahead=${31 * 60_000}`, { method: 'POST' });
  // None of them makes others wait.
  await until(many);
});

test('they are for keys without ACL', async () => {
  const key = await client.withPermissions([may('get post', '/users/.*', ACL)]);
  for (const reply of [await key.get(DELIVERIES), await key.post(DELIVERIES, { meta: { ids: '*' } })])
    expect([401, 403]).toContain(reply.status);
});
