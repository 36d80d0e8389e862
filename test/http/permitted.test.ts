/** `GET /permitted`: of which lists a key and its user are told. It is what asking for each tells, and nothing else. */
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { makeUser, may, type Person } from '../support/people.ts';

const EVERY = [
  '/resources',
  '/files/core.file',
  '/users/core.user',
  '/users/core.user-group',
  '/users/core.external-user',
  '/users/core.external-user.token',
  '/users/core.account-settings',
  '/users/core.mail',
  '/users/core.passkey',
  '/users/core.mail-template',
  '/users/core.identity-provider',
  '/users/core.identity',
  '/users/core.second-factor',
  '/api-keys/core.api-key',
  '/schemas/core.schema',
  '/schemas/core.type',
  '/aggregates/core.aggregate',
  '/webhooks/core.webhook',
  '/audit/core.audit-entry',
];

const client = await Client.create();
const [ada, ben] = [await makeUser(client, 'ada'), await makeUser(client, 'ben')];
const stranger = await makeUser(await Client.create(), 'ada');

const listed = async (key: Client, headers: Person['headers'] = {}) =>
  (await key.get('/permitted', headers)).body.meta['lists'] as readonly string[];

const get = (path: string, more: object = {}) => may('get', path, { ...more });
const acl = { active: true };

test.each<[string, readonly object[] | (() => readonly object[]), readonly string[], readonly string[]]>([
  ['nothing', [], [], []],
  ['documents of a type alone', [get('/resources/.+')], [], []],
  ['two lists', [get('/resources(/.*)?'), get('/users/core.user')], ['/resources', '/users/core.user'], []],
  ['other methods', [may('post patch delete bulk', '.*')], [], []],
  ['one document of a list', [get('/users/core.user/me')], [], []],
  ['users alone, under ACL', [get('/resources', { acl })], [], ['/resources']],
  ['users, what only services get', [get('/webhooks/.*|/users/core.mail', { acl })], [], []],
  ['everything to read', [get('.*')], EVERY, []],
  ['what a rule narrows', [get('/files/core.file', { where: { by: 1 } })], ['/files/core.file'], []],
  [
    'anybody one list, and users another',
    [get('/schemas/core.schema'), get('/aggregates/core.aggregate', { acl })],
    ['/schemas/core.schema'],
    ['/aggregates/core.aggregate'],
  ],
  [
    'all users but one',
    () => [get('/schemas/.*', { acl: { ...acl, 'endpoint-access-list': [ben.link] } })],
    [],
    ['/schemas/core.schema', '/schemas/core.type'],
  ],
  [
    'all users but the one who asks',
    () => [get('/schemas/.*', { acl: { ...acl, 'endpoint-access-list': [ada.link] } })],
    [],
    [],
  ],
])('a key for %s is told what asking for each would tell', async (_, permissions, ofKey, ofUser) => {
  const key = await client.withPermissions(typeof permissions === 'function' ? permissions() : permissions);
  for (const [headers = {}, lists] of [
    [{}, ofKey],
    [stranger.headers, ofKey],
    [ada.headers, [...ofKey, ...ofUser]],
  ] as const) {
    expect(await listed(key, headers)).toEqual(lists);
    for (const path of EVERY) {
      const { status } = await key.get(path, headers);
      expect([path, status === 200]).toEqual([path, lists.includes(path)]);
    }
  }
});

test('no cache keeps it, and it can only be read', async () => {
  const answer = await client.get('/permitted');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(faultsOf(await client.post('/permitted', {}))).toEqual(['405 method-not-allowed']);
});

test.each([
  ['?page[size]=5', {}, '400 unknown-parameter ?page[size]'],
  ['?fields', {}, '400 unknown-parameter ?fields'],
  ['', { accept: 'text/html' }, '406 not-acceptable Accept:'],
])('nothing of a request is ignored: %j %j', async (query, headers, fault) => {
  expect(faultsOf(await client.get(`/permitted${query}`, headers))).toEqual([fault]);
});

test('who has no key of the application is told nothing', async () => {
  const made = new Client(client.url, client.application, 'made-up');
  expect(faultsOf(await made.get('/permitted'))).toEqual(['401 invalid-api-key api-key:']);
});
