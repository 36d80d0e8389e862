/** The mailbox: mails that nothing sends become documents of the application, which trusted keys read and delete. */
import { beforeEach, expect, test } from 'vitest';
import { startForedge } from '../../scripts/testing.ts';
import { ACCOUNTS_KEY, setAccounts, signUp } from '../support/accounts.ts';
import { Client } from '../support/client.ts';
import { MAIL, sendMail } from '../support/mails.ts';
import { until } from '../support/started.ts';
import { ACL, makeUser, may } from '../support/people.ts';

const PATH = '/users/core.mail';

let client: Client;
beforeEach(async () => {
  client = await Client.create('mailbox');
});

async function send(mail: Partial<typeof MAIL> = {}): Promise<void> {
  expect(await sendMail(client, mail)).toEqual({ state: 'delivered' });
}

test('a mail is kept as it would have been sent, the newest is found first, and a deleted one is gone', async () => {
  await send();
  await send({ subject: 'Again' });
  const { body } = await client.get(`${PATH}?sort=-created`);
  expect(body.data.map(({ attributes }) => attributes?.['subject'])).toEqual(['Again', 'Log in']);
  const [, first] = body.data;
  expect(first?.attributes).toEqual({ ...MAIL, created: expect.anything() as unknown });
  const address = `${PATH}/${first?.id ?? ''}`;
  expect((await client.get(address)).body.data.attributes).toMatchObject(MAIL);
  expect((await client.delete(address)).status).toBe(204);
  expect((await client.get(PATH)).body.data).toHaveLength(1);
});

test('no mail is kept that would not have been sent', async () => {
  const injected = 'ada@example.org\r\nBcc: eve@example.net';
  expect(await sendMail(client, { to: injected })).toMatchObject({ state: 'failed' });
  expect((await client.get(PATH)).body.data).toEqual([]);
});

test('nobody writes or changes one', async () => {
  await send();
  const [mail] = (await client.get(PATH)).body.data;
  const data = { type: 'core.mail', attributes: { subject: 'x' } };
  expect((await client.post(PATH, { data })).status).toBe(405);
  const id = mail?.id ?? '';
  expect((await client.patch(`${PATH}/${id}`, { data: { ...data, id } })).status).toBe(405);
});

test('a user sees none, whatever the key permits', async () => {
  await send();
  const [mail] = (await client.get(PATH)).body.data;
  const address = `${PATH}/${mail?.id ?? ''}`;
  const everything = may('get delete', '.*', ACL);
  const ada = await client.withPermissions([everything]);
  const { headers } = await makeUser(client, 'ada');
  expect((await ada.send('GET', PATH, { headers })).status).toBe(403);
  expect((await ada.send('GET', address, { headers })).status).toBe(403);
  expect((await ada.send('DELETE', address, { headers })).status).toBe(403);
  expect((await client.get(address)).body.data.attributes).toMatchObject(MAIL);
});

test('another application has none of them', async () => {
  await send();
  const other = await Client.create('another mailbox');
  expect((await other.get(PATH)).body.data).toEqual([]);
});

test('a test reads those that its users get', async () => {
  const db = await startForedge();
  const own = new Client(db.url, db.application, db.key);
  await setAccounts(own, { name: 'Bookshop', sender: MAIL.from, 'sign-up': 'open' });
  const web = await own.withPermissions(ACCOUNTS_KEY);
  await signUp(web, { username: 'ada', password: 'difference engine', email: MAIL.to });
  await until('the mail is there', async () => (await db.mailbox(MAIL.to)).length === 1);
  const [mail] = await db.mailbox();
  expect(mail).toMatchObject({ from: MAIL.from, to: MAIL.to, subject: 'Confirm your address for Bookshop' });
  expect(await db.mailbox('bob@example.org')).toEqual([]);
  await db.stop();
});
