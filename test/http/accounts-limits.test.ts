/** Limits of account actions: of an application, of time, and what they do not hold back (docs/accounts.md#actions). */
import { expect, test } from 'vitest';
import { ACCOUNTS_KEY, begin, confirmed, mailsTo, redeem, setAccounts } from '../support/accounts.ts';
import type { Client, Reply } from '../support/client.ts';
import { isLong } from '../support/long.ts';
import { workerNamed } from '../support/own-service.ts';
import { logIn, tokenOf } from '../support/people.ts';
import { newService } from '../support/scope.ts';
import { until } from '../support/started.ts';

const PASSWORD = 'a long difference';
const LIMIT = 1_000;
const HOUR = 3_600_000;
/** Sent at once; of the last ones, twice as many as there is room for. */
const AT_ONCE = 50;

const service = await newService({
  entry: workerNamed('clock'),
  settings: { MAILBOX: 'yes', LOGIN_FAILURES_BY_USER: '1000', CLIENT_ADDRESS_HEADER: 'x-client' },
});

/** An application of its own, as its server and as strangers see it. */
async function newShop() {
  const client = await service.newClient();
  const web = await client.withPermissions(ACCOUNTS_KEY);
  await setAccounts(client, {
    ...{ name: 'Shop', 'sign-up': 'open', 'log-in-by-mail': true },
    ...{ 'return-to': ['https://shop.example/'], origins: ['https://shop.example'] },
  });
  return { client, web };
}

type Shop = Awaited<ReturnType<typeof newShop>>;

/** How many actions begin before the first one that does not: a trusted service begins most of them. */
async function takenOf({ client, web }: Shop, ask: (by: Client, n: number) => Promise<Reply>) {
  for (let first = 0; first < LIMIT - AT_ONCE; first += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, n) => ask(client, first + n));
    for (const { status, text } of await Promise.all(some)) expect(status, text).toBe(201);
  }
  const last = Array.from({ length: 2 * AT_ONCE }, (_, n) => ask(web, LIMIT - AT_ONCE + n));
  const statuses = (await Promise.all(last)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([201, 429]));
  return LIMIT - AT_ONCE + statuses.filter((status) => status === 201).length;
}

/** Somebody, and how to change the password, which a mail tells of. */
async function somebody({ client, web }: Shop) {
  const { id, email, username } = await confirmed(client, web, 'ada', PASSWORD);
  const mails = `/users/core.mail?filter[to]=${JSON.stringify(email)}&page[limit]=100`;
  const notices = async () =>
    (await client.get(mails)).body.data.filter(({ attributes }) =>
      String(attributes?.['subject']).startsWith('Your login for '),
    );
  let password = PASSWORD;
  let changes = 0;
  const change = async () => {
    const headers = tokenOf(await logIn(web, username, password));
    password = `another difference ${(changes += 1)}`;
    const reply = await web.update(`/users/core.user/${id}`, { attributes: { password } }, headers);
    expect(reply.status, reply.text).toBe(200);
    await until(`${changes} notices`, async () => (await notices()).length === changes);
  };
  return { email, change };
}

test('requests for what looks like the subject of a notice hush none', async () => {
  const shop = await newShop();
  const { email, change } = await somebody(shop);
  const about = { kind: 'confirm-address', username: `changed ${email}` };
  for (let n = 0; n < 5; n += 1) expect((await begin(shop.web, about)).status).toBe(201);
  await change();
});

test('requests for a user who is named like an address hold back none for the address', async () => {
  const { client, web } = await newShop();
  const { email } = await confirmed(client, web, 'eve', PASSWORD);
  const about = { kind: 'confirm-address', username: email };
  for (let n = 0; n < 5; n += 1) expect((await begin(web, about)).status).toBe(201);
  expect((await begin(web, about)).status).toBe(429);
  expect((await begin(web, { kind: 'log-in', email })).status).toBe(201);
});

// Each of a thousand requests counts those before.
test.runIf(isLong('whole'))('notices count with no actions, and no actions hold them back', async () => {
  const shop = await newShop();
  const { change } = await somebody(shop);
  await change();
  // One has confirmed the address.
  const ask = (by: Client, n: number) => begin(by, { kind: 'confirm-address', username: `nobody${n}` });
  expect(await takenOf(shop, ask)).toBe(LIMIT - 1);
  await change();
});

test('strangers whose addresses are unknown have a limit together, and others are not held back', async () => {
  const shop = await newShop();
  const attributes = { kind: 'log-in-passkey' };
  expect(await takenOf(shop, (by) => begin(by, attributes))).toBe(LIMIT);
  expect((await begin(shop.web, attributes, { 'x-client': '192.0.2.1' })).status).toBe(201);
  expect((await begin(shop.client, attributes)).status).toBe(201);
});

test.each([
  ['for two days', 48 * HOUR - 60_000, [201, 204]],
  ['no longer', 48 * HOUR + 1_000, [403, 403]],
])('an invitation, and the way back to a former address, are good %s', async (_, ahead, statuses) => {
  const { client, web } = await newShop();
  const { email, id, username } = await confirmed(client, web, 'mary', PASSWORD);
  await client.update(`/users/core.user/${id}`, { attributes: { email: 'other@shop.example' } });
  const { id: change } = (await begin(web, { kind: 'confirm-address', username })).body.data;
  const [moved] = await mailsTo(client, 'other@shop.example', 1);
  expect((await redeem(web, change, { code: moved?.code })).status).toBe(204);
  const { id: invitation } = (await begin(client, { kind: 'invite', email: 'guest@shop.example' })).body.data;
  const [[invited], [, former]] = [
    await mailsTo(client, 'guest@shop.example', 1),
    await mailsTo(client, email, 2),
  ];
  const clock = (to: number) => fetch(`${service.url}/test/clock?ahead=${to}`, { method: 'POST' });
  try {
    await clock(ahead);
    const account = { code: invited?.code, username: 'guest', password: PASSWORD };
    const replies = [
      await redeem(web, invitation, account),
      await redeem(web, former?.action ?? '', { code: former?.code }),
    ];
    expect(replies.map(({ status }) => status)).toEqual(statuses);
  } finally {
    await clock(0);
  }
});
