/** Documents for services alone (docs/accounts.md, docs/webhooks.md): under ACL nobody sees one, nor through a link. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNTS_KEY, appAt, begin, redeem, setAccounts } from '../support/accounts.ts';
import { Client, type Link } from '../support/client.ts';
import { ACL, EVERY_METHOD, makeUser, may, tokenOf, underAcl } from '../support/people.ts';

const client = await Client.create('for services');
const web = await client.withPermissions(ACCOUNTS_KEY);
let headers: Readonly<Record<string, string>>;
/** Under ACL, with the rights of everybody: the user is in the list of those whose rights are not asked. */
let exempt: Client;
let owner: Client;

const TEXT = 'not-for-users';
const made: Record<string, Link> = {};
const notes: Record<string, string> = {};

/** Each with its module, and an attribute that is a text. */
const TYPES = [
  ['core.account-settings', 'users', 'name'],
  ['core.mail-template', 'users', 'subject'],
  ['core.identity-provider', 'users', 'name'],
  ['core.second-factor', 'users', 'user'],
  ['core.webhook', 'webhooks', 'target'],
] as const;

beforeAll(async () => {
  const make = async (path: string, attributes: object) =>
    (await client.create(path, { attributes })).body.data;
  const settings = await setAccounts(client, { name: TEXT, 'second-factor': 'allowed' });
  const ada = await makeUser(client, 'ada');
  const begun = await begin(web, { kind: 'add-second-factor' }, ada.headers);
  const code = appAt(begun.body.data.attributes?.['location']).generate();
  headers = tokenOf(await redeem(web, begun.body.data.id, { code }, ada.headers));
  const [factor] = (await client.get('/users/core.second-factor')).body.data;
  made['core.account-settings'] = { type: 'core.account-settings', id: settings };
  made['core.second-factor'] = { type: 'core.second-factor', id: factor?.id ?? '' };
  const endpoint = 'https://hub.example/';
  made['core.identity-provider'] = await make('/users/core.identity-provider', {
    ...{ name: TEXT, 'client-id': 'x', 'user-endpoint': endpoint },
    ...{ 'authorization-endpoint': endpoint, 'token-endpoint': endpoint },
  });
  made['core.mail-template'] = await make('/users/core.mail-template', {
    ...{ name: 'log-in', subject: TEXT, text: '{{code}}' },
  });
  made['core.webhook'] = await make('/webhooks/core.webhook', {
    ...{ url: `https://${TEXT}.example/`, target: 'notes' },
  });
  const whole = { acl: { active: true, 'document-access-list': [ada.link] } };
  exempt = await client.withPermissions([may(EVERY_METHOD, '/.*', whole)]);
  owner = await underAcl(client);
  for (const [type, { id }] of Object.entries(made)) {
    const relationships = { it: { data: { type, id } } };
    const note = await owner.create('/resources/notes', { relationships }, headers);
    notes[type] = note.body.data.id;
  }
});

describe.each(TYPES)('%s', (type, module, attribute) => {
  const at = () => `/${module}/${type}/${made[type]?.id ?? ''}`;

  test('is seen by a service, through a link, too', async () => {
    expect((await client.get(at())).status).toBe(200);
    const note = await client.get(`/resources/notes/${notes[type] ?? ''}?include=it`);
    expect(note.body.included).toHaveLength(1);
    const found = await client.get(`/resources/notes?filter[it.${attribute}]={"$type":"string"}`);
    expect(found.text).toContain(notes[type]);
  });

  test.each(['a user', 'a user whose rights are not asked'])('is not seen by %s', async (who) => {
    const by = who === 'a user' ? owner : exempt;
    const acl = `/${module}/${type}.acl/${made[type]?.id ?? ''}`;
    for (const path of [at(), `/${module}/${type}`, acl])
      expect([path, (await by.get(path, headers)).status]).toEqual([path, 403]);
    const rights = { data: { type: `${type}.acl`, id: made[type]?.id, attributes: { read: '*' } } };
    expect((await by.patch(acl, rights, headers)).status).toBe(403);
    const note = `/resources/notes/${notes[type] ?? ''}`;
    for (const path of [`${note}?include=it`, '/resources/notes?include=it']) {
      const { body } = await by.get(path, headers);
      expect(body.included).toEqual([]);
    }
    expect((await by.get(`${note}/it`, headers)).body.data).toEqual([]);
    expect(
      (await by.get(`/resources/notes?filter[it.${attribute}]={"$type":"string"}`, headers)).body.data,
    ).toEqual([]);
    const lists = (await by.get('/permitted', headers)).body.meta['lists'];
    expect(lists).not.toContain(`/${module}/${type}`);
  });
});

test('a key with another permission for services serves them beside its users', async () => {
  const both = await client.withPermissions([may(EVERY_METHOD, '/.*', ACL), may('get', '/webhooks/.*')]);
  expect((await both.get('/webhooks/core.webhook', headers)).body.meta.count).toBe(1);
  expect((await both.get('/users/core.account-settings', headers)).status).toBe(403);
});

test('a decision says why users never may', async () => {
  const made = await client.create('/api-keys/core.api-key', {
    attributes: { name: 'users', permissions: [may(EVERY_METHOD, '/.*', ACL)] },
  });
  const [user] = (await client.get('/users/core.user')).body.data;
  const asks = { type: 'core.user', id: user?.id };
  const meta = { method: 'GET', path: '/users/core.second-factor', user: asks };
  const { body } = await client.post(`/api-keys/core.api-key/${made.body.data.id}/decision`, { meta });
  expect(body.meta).toMatchObject({ admitted: false, paths: [{ passed: ['acl'] }] });
});
