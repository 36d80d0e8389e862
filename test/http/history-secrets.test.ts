/** No type of the service has a history: its documents hold passwords and secrets, which nothing shows again. */
import { describe, expect, test } from 'vitest';
import { CORE } from '../../src/domain/types.ts';
import { typeInfo } from '../../src/domain/types/facts.ts';
import { ACCOUNTS_KEY, appAt, begin, confirmed, mailsTo, redeem, setAccounts } from '../support/accounts.ts';
import { Client } from '../support/client.ts';
import { feedMeta } from '../support/feed.ts';
import { ACL, EVERY_METHOD, grant, logIn, makeUser, may, tokenOf } from '../support/people.ts';
import { exported } from '../support/transfer.ts';
import { settle } from '../support/type-settings.ts';

const PASSWORD = 'a first difference';
const SECRET = 'a client secret that nobody sees';
const TYPES = Object.values(CORE).filter((type) => typeInfo(type).module !== null);

/** The id of a document of a type that was changed, or of none. */
const ids = new Map<string, string>();
/** What documents hold now and held before: texts of secrets. */
const secrets: string[] = [];

async function changed(path: string, attributes: object, change: object): Promise<void> {
  const [, , type = ''] = path.split('/');
  const made = await client.post(path, { data: { type, attributes } });
  if (made.status !== 201) throw new Error(made.text);
  const { id } = made.body.data;
  const done = await client.patch(`${path}/${id}`, { data: { type, id, attributes: change } });
  if (done.status !== 200) throw new Error(done.text);
  ids.set(type, id);
  for (const name of ['secret', 'secure-id']) {
    const shown = made.body.data.attributes?.[name];
    if (typeof shown === 'string') secrets.push(shown);
  }
}

const client = await Client.create();
await setAccounts(client, {
  ...{ name: 'Shop', 'sign-up': 'open', 'second-factor': 'allowed' },
  'return-to': ['https://shop.example/'],
});
const web = await client.withPermissions(ACCOUNTS_KEY);
const { id, email } = await confirmed(client, web, 'ada', PASSWORD);
ids.set(CORE.user, id);
const before = tokenOf(await logIn(web, 'ada', PASSWORD));
const begun = await begin(web, { kind: 'add-second-factor' }, before);
const { location } = begun.body.data.attributes ?? {};
const app = appAt(location);
const added = await redeem(web, begun.body.data.id, { code: app.generate() }, before);
expect(added.status).toBe(201);
const token = tokenOf(added)['authorization'] ?? '';
ids.set(CORE.userToken, added.body.data.id);
ids.set(CORE.accountAction, (await begin(web, { kind: 'reset-password', email })).body.data.id);
const [, mail] = await mailsTo(client, email, 2);
const hash = (await client.get(`/users/core.user/${id}`)).body.data.attributes?.['password'];
secrets.push(SECRET, PASSWORD, String(hash), app.secret.base32, token.slice(6), mail?.code ?? '');
secrets.push(...(added.body.meta['recovery-codes'] as readonly string[]));
const data = { type: CORE.user, id, attributes: { password: `${PASSWORD}!` } };
expect((await client.patch(`/users/core.user/${id}`, { data })).status).toBe(200);
const provider = { name: 'site', issuer: 'https://accounts.google.com', 'client-id': 'shop' };
await changed('/users/core.identity-provider', { ...provider, 'client-secret': SECRET }, { name: 'other' });
const hook = { target: 'notes', url: 'https://hooks.example/' };
await changed('/webhooks/core.webhook', hook, { target: 'others' });
await changed('/api-keys/core.api-key', { name: 'one', permissions: [] }, { name: 'another' });
const template = { name: 'log-in', subject: 'Log in', text: 'Here: {{link}} or {{code}}' };
await changed('/users/core.mail-template', template, { subject: 'Log in now' });
for (const type of [CORE.secondFactor, CORE.mail]) {
  const [found] = (await client.get(`/users/${type}`)).body.data;
  ids.set(type, found?.id ?? '');
}
expect(secrets.filter((secret) => secret.length < 6)).toEqual([]);

test.each(TYPES)('%s has no history, and nothing shows what its documents were', async (type) => {
  const refused = await settle(client, { name: type, history: 'forever' });
  expect([refused.status, refused.body.errors[0]?.code]).toEqual([422, 'invalid-attribute']);
  const id = ids.get(type) ?? 'a'.repeat(24);
  const path = `/${typeInfo(type).module ?? ''}/${type}`;
  const at = encodeURIComponent(new Date().toISOString());
  for (const rest of [
    '?deleted=true',
    `?at=${at}&filter[id]={"$in":[{"$oid":"${id}"}]}`,
    `/${id}?at=${at}`,
    `/${id}/versions`,
    `/${id}/versions/1`,
  ]) {
    const read = await client.get(path + rest);
    expect([rest, read.status >= 400]).toEqual([rest, true]);
    expect(secrets.filter((secret) => read.text.includes(secret))).toEqual([]);
  }
  const restored = await client.post(`${path}/${id}/versions/1/restore`);
  expect(restored.status).toBeGreaterThanOrEqual(400);
});

describe('former passwords', () => {
  test.each(TYPES)('are in no export of %s with history: it is the one without', async (type) => {
    const plain = await exported(client.application, type).catch((error: unknown) => String(error));
    const whole = await exported(client.application, type, { history: true }).catch((error: unknown) =>
      String(error),
    );
    expect(whole).toBe(plain);
    const former = secrets[2] ?? '';
    expect([former.startsWith('$scrypt$'), whole.includes(former)]).toEqual([true, false]);
  });

  test('are in no feed, nor present ones: a user who may read another is told of the change alone', async () => {
    const acl = await client.withPermissions([may(EVERY_METHOD, '.*', ACL)]);
    const [eve, ann] = [await makeUser(client, 'eve'), await makeUser(client, 'ann')];
    const path = `/users/core.user/${ann.link.id}`;
    await grant(client, path, { read: [eve.link] });
    const feed = (since: string) => acl.get(`/users/core.user/changes?changes[since]=${since}`, eve.headers);
    const first = await feed('');
    for (const password of ['the second one', 'the third one'])
      await client.patch(path, { data: { ...ann.link, attributes: { password } } });
    const told = await feed(feedMeta(first).mark);
    for (const { body } of [first, told]) {
      const shown = body.data.find(({ id }) => id === ann.link.id);
      expect(shown?.attributes).toEqual({ username: 'ann' });
    }
  });
});
