/** Templates of mails (docs/accounts.md#templates): the application's texts, by language, safe whatever is in them. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, begin, redeem, setAccounts, signUp } from '../support/accounts.ts';
import { faultsOf } from '../support/faults.ts';
import { codes } from '../support/rules.ts';
import { until } from '../support/started.ts';
import { may } from '../support/people.ts';
import { newService } from '../support/scope.ts';

const TEMPLATES = '/users/core.mail-template';

let last = 0;
let person: { username: string; email: string };
const service = await newService({
  settings: { MAILBOX: 'yes', LOGIN_FAILURES_BY_USER: '100', LOGIN_FAILURES_BY_ADDRESS: '1000' },
});
const { client } = service;
const web = await client.withPermissions(ACCOUNTS_KEY);
const settings = { name: 'The <Shop>', 'sign-up': 'open', 'return-to': ['https://shop.example/?a=1&b'] };
const id = await setAccounts(client, { ...settings, confirm: 'later', 'log-in-by-mail': true });
const setName = (name: string) => {
  return client.update(`/users/core.account-settings/${id}`, { attributes: { name } });
};

const store = (attributes: object) => client.create(TEMPLATES, { attributes });

/** The newest mail to an address, once there are so many. */
async function mail(email: string, many: number) {
  let data: readonly { readonly attributes?: Readonly<Record<string, unknown>> }[] = [];
  await until(`${many} mails`, async () => {
    ({ data } = (await client.get(`/users/core.mail?filter[to]="${email}"&sort=created`)).body);
    return data.length >= many;
  });
  const [subject, text, html] = ['subject', 'text', 'html'].map((name) =>
    String(data.at(-1)?.attributes?.[name]),
  );
  return { subject, text, html };
}

async function confirmed(attributes: object = {}) {
  last += 1;
  person = { username: `person${last}`, email: `person${last}@shop.example` };
  await signUp(web, { ...person, password: 'a long difference', ...attributes });
  const { text } = await mail(person.email, 1);
  const [, action = '', code] = /action=([0-9a-f]{24})&code=(\S+)/.exec(text ?? '') ?? [];
  expect((await redeem(web, action, { code })).status).toBe(204);
}

async function clear() {
  for (const { id } of (await client.get(`${TEMPLATES}?page[size]=100&page[number]=1`)).body.data)
    await client.delete(`${TEMPLATES}/${id}`);
}
beforeEach(clear);

test('without one, a mail has the built-in text', async () => {
  await confirmed();
  await begin(web, { kind: 'log-in', email: person.email });
  const { subject, text, html } = await mail(person.email, 2);
  expect(subject).toBe('Log in to The <Shop>');
  expect(text).toMatch(
    /^Log in to The <Shop>\.\n\nOpen this link: https:\S+\n\nYour code is \d{6}\. It is valid for 30 minutes\.\n\nIf /,
  );
  expect(html).toContain(
    '<p>Log in to The &lt;Shop&gt;.</p>\n<p>Open this link: <a href="https://shop.example/?a=1&amp;b#kind=',
  );
});

test('a template is in its place, with all that it names', async () => {
  await confirmed();
  const text = '{{name}}, {{ username }}, {{address}}: {{code}} for {{validity}}.\n\n{{link}}';
  const html = '<h1>{{name}}</h1><a href="{{link}}">In</a>';
  await store({ name: 'log-in', subject: '{{code}} is your code', text, html });
  await begin(web, { kind: 'log-in', email: person.email });
  const told = await mail(person.email, 2);
  const [code] = /\d{6}/.exec(told.subject ?? '') ?? [];
  expect(told.subject).toBe(`${code} is your code`);
  const [first, link = ''] = (told.text ?? '').split('\n\n');
  expect(first).toBe(`The <Shop>, ${person.username}, ${person.email}: ${code} for 30 minutes.`);
  expect(told.html).toBe(`<h1>The &lt;Shop&gt;</h1><a href="${link.replaceAll('&', '&amp;')}">In</a>`);
});

test('a paragraph that names what a mail does not have is left out', async () => {
  await confirmed();
  await store({ name: 'taken', subject: 'Taken', text: 'Yours already.\n\nYour code is {{code}}.\n\nBye' });
  last += 1;
  await signUp(web, { username: `person${last}`, email: person.email, password: 'a long difference' });
  const told = await mail(person.email, 2);
  expect([told.text, told.html]).toEqual(['Yours already.\n\nBye', '<p>Yours already.</p>\n<p>Bye</p>']);
});

describe('the nearest language is taken', () => {
  beforeEach(async () => {
    for (const name of ['log-in', 'log-in.pt', 'log-in.pt-br', 'log-in.de'])
      expect((await store({ name, subject: name, text: '{{code}}' })).status).toBe(201);
  });

  test.each([
    ['pt-BR', 'log-in.pt-br'],
    ['pt-PT', 'log-in.pt'],
    ['fr', 'log-in'],
    ['DE', 'log-in.de'],
  ])('to %s', async (language, subject) => {
    await confirmed();
    expect((await begin(web, { kind: 'log-in', email: person.email, language })).status).toBe(201);
    expect((await mail(person.email, 2)).subject).toBe(subject);
  });

  test('the user’s own, where none is asked for', async () => {
    await confirmed({ language: 'de-AT' });
    await begin(web, { kind: 'log-in', email: person.email });
    expect((await mail(person.email, 2)).subject).toBe('log-in.de');
    await begin(web, { kind: 'log-in', email: person.email, language: 'pt' });
    expect((await mail(person.email, 3)).subject).toBe('log-in.pt');
  });

  test('that of a user is whatever it is', async () => {
    await confirmed();
    const [user] = (await client.get(`/users/core.user?filter[username]="${person.username}"`)).body.data;
    for (const language of ['../../de\r\nBcc: eve@example.net', 'a-'.repeat(10_000)]) {
      const data = { type: 'core.user', id: user?.id, attributes: { language } };
      await client.patch(`/users/core.user/${user?.id}`, { data });
    }
    await begin(web, { kind: 'log-in', email: person.email });
    expect((await mail(person.email, 2)).subject).toBe('log-in');
  });

  test.each(['', 'german', 'de_AT', 5, 'de-'])('%j is none', async (language) => {
    const reply = await begin(web, { kind: 'log-in', email: 'x@shop.example', language });
    const fault = ['422 invalid-attribute /data/attributes/language'];
    expect(faultsOf(reply)).toEqual(fault);
    const person = { username: 'somebody', email: 'some@body.example', password: 'a long difference' };
    expect(faultsOf(await signUp(web, { ...person, language }))).toEqual(fault);
  });
});

test.each<[string, object]>([
  ['/data/attributes/name', { name: 'log-out' }],
  ['/data/attributes/name', { name: 'log-in.DE' }],
  ['/data/attributes/name', { name: 'log-in-de' }],
  ['/data/attributes/text', { text: 'Hello {{colour}}: {{code}}' }],
  ['/data/attributes/html', { html: '{{constructor}}' }],
  ['/data/attributes/subject', { subject: '{{ }}' }],
  ['/data/attributes/subject', { subject: ' ' }],
  ['/data/attributes/text', { text: 'Nothing to prove it by.' }],
  ['/data/attributes/text', { text: `{{code}}${'x'.repeat(50_000)}` }],
  ['/data/attributes/colour', { colour: 'red' }],
])('a fault at %s: %.80j', async (pointer, attributes) => {
  const reply = await store({ name: 'log-in', subject: 'Hello', text: '{{code}}', ...attributes });
  expect(faultsOf(reply)).toEqual([`422 invalid-attribute ${pointer}`]);
});

test('there is one of a name, for keys without ACL, and a preview', async () => {
  const made = await store({
    name: 'log-in',
    subject: 'Log in to {{name}}',
    text: 'Go: {{link}}\n\n{{code}}',
  });
  expect(codes(await store({ name: 'log-in', subject: 'Hello', text: '{{code}}' }))).toEqual(['value-taken']);
  const path = `${TEMPLATES}/${made.body.data.id}/preview`;
  const { meta } = (await client.get(path)).body;
  expect(meta).toMatchObject({
    subject: 'Log in to Bookshop',
    text: expect.stringContaining('123456') as string,
  });
  for (const address of [TEMPLATES, path]) expect((await web.get(address)).status).toBe(403);
  for (const rule of [{ where: { name: 'erase' } }, { fields: { read: ['name'] } }]) {
    const key = await client.withPermissions([may('get', '/users/.*', { ...rule })]);
    expect((await key.get(path)).status).toBe(404);
  }
});

test('braces that never end cost no time', async () => {
  const text = `{{code}}{{${' '.repeat(20_000)}`;
  expect((await store({ name: 'log-in', subject: 'In', text })).status).toBe(201);
});

test('a change leaves a template with a code or a link', async () => {
  const made = await store({ name: 'log-in', subject: 'In', text: '{{code}}' });
  const { id } = made.body.data;
  expect((await client.update(`${TEMPLATES}/${id}`, { attributes: { text: 'Hello.' } })).status).toBe(422);
});

test('a name of several lines adds no header to a mail', async () => {
  expect((await setName('Shop\r\nBcc: eve@shop.example')).status).toBe(200);
  await confirmed();
  expect((await mail(person.email, 1)).subject).toBe('Confirm your address for Shop Bcc: eve@shop.example');
});
