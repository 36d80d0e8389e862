/** Mail by SMTP: with a server that wants TLS and a login, and what becomes of it where the server is not right. */
import { createServer } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ACCOUNTS_KEY, setAccounts, signUp } from '../support/accounts.ts';
import { CERTIFICATE, MailServer, PASSWORD, readBase64, readMail, USER } from '../support/mail-server.ts';
import { sendMail } from '../support/mails.ts';
import { until } from '../support/started.ts';
import { newServer, newService } from '../support/scope.ts';

const ENTRY = new URL('../support/mail-worker.ts', import.meta.url).pathname;
const MAIL = {
  from: 'shop@example.com',
  to: 'ada@example.org',
  subject: 'Log in to Büchershop 📚, where letters are longer than a line of a header may be',
  text: 'Hello\n.\n..dots at the beginning\nÄ end',
  html: '<p>Hello</p>\n.\n',
};

afterAll(async () => {
  await server.stop();
  CERTIFICATE.remove();
});

beforeEach(() => {
  server.received.length = 0;
});

const secured = (password = PASSWORD) =>
  `smtps://${encodeURIComponent(USER)}:${encodeURIComponent(password)}@localhost:${server.port}`;

const send = (mail: Partial<typeof MAIL> = {}) => sendMail(service.client, { ...MAIL, ...mail });

const { cert, key } = CERTIFICATE;
const server = await MailServer.start({ secure: true, cert, key });
const service = await newService({ entry: ENTRY, settings: { SMTP_URL: secured() } });

test('a mail arrives as it was written', async () => {
  expect(await send()).toEqual({ state: 'delivered' });
  const [received] = server.received;
  expect(received).toMatchObject({ from: MAIL.from, to: [MAIL.to] });
  const { head, parts } = readMail(received?.text ?? '');
  expect(parts.map((part) => part.replaceAll('\r\n', '\n'))).toEqual([MAIL.text, MAIL.html]);
  const words = Array.from(head.matchAll(/=\?utf-8\?B\?([^?]*)\?=/g), ([, word = '']) => readBase64(word));
  expect(words.join('')).toBe(MAIL.subject);
  const lines = (received?.text ?? '').split('\r\n');
  expect(lines.filter((line) => line.length > 78 || /[^\t -~]/.test(line))).toEqual([]);
});

test.each([
  'shop@example.com\r\nBcc: eve@example.net',
  'a@b.c>\r\nRSET',
  'ádà@example.org',
  'ada@еxample.org',
  'a,b@c.d',
  '',
])('no mail goes to or from %j', async (address) => {
  expect(await send({ to: address })).toMatchObject({ state: 'failed' });
  expect(await send({ from: address })).toMatchObject({ state: 'failed' });
  expect(server.received).toEqual([]);
});

test('a subject adds no header, nor ends them', async () => {
  expect(await send({ subject: 'Hello\r\nBcc: eve@example.net\r\n\r\nbody' })).toEqual({
    state: 'delivered',
  });
  const { head } = readMail(server.received[0]?.text ?? '');
  expect(head).not.toMatch(/^Bcc/m);
  expect(server.received[0]?.to).toEqual([MAIL.to]);
});

test('a sign-up sends its mail', async () => {
  const { client } = service;
  await setAccounts(client, { name: 'Bücher <b>', sender: MAIL.from, 'sign-up': 'open' });
  const web = await client.withPermissions(ACCOUNTS_KEY);
  await signUp(web, { username: 'ada', password: 'difference engine', email: MAIL.to });
  await until('the mail has come', () => server.received.length === 1);
  const [text = '', html = ''] = readMail(server.received[0]?.text ?? '').parts;
  expect(text).toMatch(/Bücher <b>[^]*code is \d{6}/);
  expect(html).toContain('Bücher &lt;b&gt;');
});

test('a refused addressee is told', async () => {
  expect(await send({ to: 'nobody@example.org' })).toEqual({
    state: 'failed',
    failure: 'The mail server refused RCPT: 550 No such mailbox',
    isFinal: true,
  });
});

test('refused addressees delay no mail to others', async () => {
  const web = await service.client.withPermissions(ACCOUNTS_KEY);
  const add = (username: string, email: string) =>
    signUp(web, { username, password: 'difference engine', email });
  for (let each = 0; each < 8; each += 1)
    expect((await add(`eve${each}`, `nobody@e${each}.example`)).status).toBe(201);
  await add('grace', 'grace@example.org');
  await until('the mail has come', () => server.received.length === 1);
  expect(server.received[0]?.to).toEqual(['grace@example.org']);
  const told = async () => (await service.client.get('/users/core.mail/deliveries')).text;
  await until('the refused one is told', async () => (await told()).includes('550 No such mailbox'));
});

test('what the server says of a refused login is not repeated', async () => {
  await service.restart({ SMTP_URL: secured('wrong secret') });
  expect(await send()).toEqual({ state: 'failed', failure: 'The mail server refused AUTH: 535' });
  await service.restart({ SMTP_URL: secured() });
});

/** A server without TLS that does what it is told to, and nothing else. */
const rude = (greeting: string) =>
  newServer(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(greeting);
    }),
  );

test.each([
  ['a greeting', '220 hello\r\n', /./],
  ['nothing', '', /closed the connection/],
  ['half a greeting', '220-more\r\n', /closed the connection/],
  ['no', '554 go away\r\n', /refused the greeting: 554 go away/],
  ['too much', 'x'.repeat(100_000), /says too much/],
])('a server that says %s and closes ends nothing but this mail', async (_, greeting, failure) => {
  const { port } = await rude(greeting);
  await service.restart({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  const sent = await send();
  expect(sent.failure).toMatch(failure);
  expect((await service.client.get('/resources/things')).status).toBe(200);
});

test('a certificate of another name is none', async () => {
  await service.restart({ SMTP_URL: secured().replace('@localhost:', '@127.0.0.1:') });
  expect(await send()).toMatchObject({ state: 'failed' });
  expect(server.received).toEqual([]);
});

test('where nothing sends mail, that is told', async () => {
  await service.restart({});
  expect((await send()).failure).toContain('sends no mail');
});
