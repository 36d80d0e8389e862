/**
 * The guides (docs/guides): their blocks run, and print what they say. Then an attacker reads them: whoever follows one
 * has an application as it says, and everybody has the keys of its pages, and may have an account. What each tries
 * is a table; nothing of it leaves a trace.
 */
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { ATOMIC_MEDIA_TYPE, Client, type Reply } from '../support/client.ts';
import { ALWAYS, attacksOf, TABLE, type Attack } from '../support/guide-attacks.ts';
import { GUIDES, pasteGuide } from '../support/guides.ts';
import { logIn, makeUser, tokenOf } from '../support/people.ts';

/** Status and code, or status and number of documents. */
const told = ({ status, body, text }: Reply) =>
  status >= 400
    ? [status, ...new Set(body.errors.map(({ code }) => code))].join(' ')
    : text.includes('"count":')
      ? `${status} ${body.meta.count}`
      : String(status);

test('every guide has its attacks', () => {
  const named = Object.keys(TABLE).map((name) => name.replace(/,.*/, ''));
  expect([...new Set(named)].sort()).toEqual(readdirSync(GUIDES).sort());
});

describe.each(Object.entries(TABLE))('%s', (name, { key, types = [], attacks = '' }) => {
  let service: Client;
  let page: Client;
  const people = new Map<string, Readonly<Record<string, string>>>();
  const ids = new Map<string, string>();

  beforeAll(async () => {
    // Its blocks print what the guide says; one of them is the README's.
    const pasted = await pasteGuide(name.replace(/,.*/, ''));
    expect(pasted.outputs.length).toBeGreaterThan(1);
    service = pasted.client;
    const keys = await service.get('/api-keys/core.api-key?page[limit]=100');
    const made = keys.body.data.find(({ attributes }) => attributes?.['name'] === key)?.attributes;
    page = new Client(service.url, service.application, String(made?.['secure-id']));
    const known = await service.get('/users/core.user?page[limit]=100');
    for (const { id, attributes } of known.body.data) {
      const username = String(attributes?.['username']).replace(/@.*/, '');
      ids.set(username, id);
      const login = await logIn(service, username, `${username} knows`);
      if (login.status === 201) people.set(username, tokenOf(login));
    }
    for (const each of ['mallory', 'bob', 'ada']) {
      if (ids.has(each)) continue;
      const { link, headers } = await makeUser(service, each);
      ids.set(each, link.id);
      people.set(each, headers);
    }
    ids.set('file', (await service.get('/files/core.file')).body.data[0]?.id ?? '');
    const groups = await service.get('/users/core.user-group');
    ids.set('group', groups.body.data[0]?.id ?? '');
    const others = await service.create('/users/core.user-group');
    ids.set('others', others.body.data.id);
    for (const type of types) {
      const found = await service.get(`/resources/${type}`);
      ids.set(type, found.body.data[0]?.id ?? (await service.make(type, { text: 'one' })).id);
    }
  });

  const filled = (text: string) =>
    text
      .replaceAll(/@(group|others)/g, '{"type": "core.user-group", "id": "<$1>"}')
      .replaceAll(/@(workspaces|channels|rooms|products|wallets)/g, '{"type": "$1", "id": "<$1>"}')
      .replaceAll(/@(\w+)(?=[,\]}])/g, '{"type": "core.user", "id": "<$1>"}')
      .replaceAll(/<(\w+)>/g, (all, each: string) => ids.get(each) ?? all);
  const attempt = ({ who, method, path, data }: Attack) => {
    const [, , type, id] = filled(path).split('/');
    const members = data === '' ? undefined : (JSON.parse(filled(data)) as object);
    const own = { type, ...(method === 'PATCH' && { id }) };
    const body = { data: Array.isArray(members) ? members : { ...own, ...members } };
    const headers = people.get(who) ?? {};
    return page.send(method, filled(path), { headers, ...(members !== undefined && { body }) });
  };
  /** Everything that is stored. */
  const stored = async () => {
    const all = [
      'users/core.user',
      'users/core.user-group',
      'api-keys/core.api-key',
      'schemas/core.type',
      'webhooks/core.webhook',
    ];
    const paths = [
      ...all,
      ...types.map((type) => `resources/${type}`),
      ...types.map((type) => `resources/${type}.acl/<${type}>`),
    ];
    const answers = await Promise.all(
      paths.map((path) => service.get(filled(`/${path}?page[limit]=100`).replace(/(\.acl\/.*)\?.*/, '$1'))),
    );
    return answers.map(({ body }) => body.data);
  };

  test('nothing of what is tried comes off, or leaves a trace', async () => {
    const before = await stored();
    const answers: string[] = [];
    for (const attack of attacksOf(attacks)) answers.push(`${attack.what}: ${told(await attempt(attack))}`);
    expect(answers).toEqual(attacksOf(attacks).map(({ what, answer }) => `${what}: ${answer}`));
    expect(await stored()).toEqual(before);
  });

  test('what no page may do, no key of it does', async () => {
    const before = await stored();
    const answers: string[] = [];
    for (const attack of attacksOf(ALWAYS)) {
      answers.push(`${attack.what}: ${(await attempt(attack)).status}`);
    }
    const refused = key === undefined ? 401 : 403;
    expect(answers).toEqual(attacksOf(ALWAYS).map(({ what }) => `${what}: ${refused}`));
    const add = {
      op: 'add',
      data: { type: 'core.user', attributes: { username: 'eve', password: 'eve knows' } },
    };
    const operations = await page.post(
      '/operations',
      { 'atomic:operations': [add] },
      {
        'content-type': ATOMIC_MEDIA_TYPE,
        accept: ATOMIC_MEDIA_TYPE,
      },
    );
    expect(operations.status).toBe(refused);
    expect(await stored()).toEqual(before);
  });

  test('keys of one application open no other, and without one nothing opens', async () => {
    const stranger = await Client.create('stranger');
    for (const [application, own] of [
      [service.application, stranger.key],
      [service.application, ''],
      [stranger.application, page.key],
    ] as const) {
      const client = new Client(service.url, application, own);
      for (const path of ['/users/core.user', ...types.map((type) => `/resources/${type}`)]) {
        expect((await client.get(path)).status).toBe(401);
      }
    }
    const health = await fetch(`${service.url}/health`);
    expect(await health.json()).toEqual({ jsonapi: { version: '1.1' }, meta: { status: 'ok' } });
  });
});
