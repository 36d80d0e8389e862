/** Who may have webhooks, and where these lead: nobody hears what he may not read; no call enters a private network. */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { exported, imported } from '../support/transfer.ts';
import { ACL, EVERY_METHOD, makeUser, may, underAcl } from '../support/people.ts';
import { newReceiver, newService } from '../support/scope.ts';
import { workerNamed } from '../support/own-service.ts';

const client = await Client.create();

const WEBHOOKS = '/webhooks/core.webhook';
const URL = 'https://example.com/hook';

const make = (attributes: object, by = client) => by.create(WEBHOOKS, { attributes });

const codesOf = (reply: Awaited<ReturnType<typeof make>>) =>
  reply.body.errors.map(({ status, code, source }) => [status, code, source?.pointer]);

describe('what a webhook must be', () => {
  test.each<[name: string, attributes: object, pointer: string, code?: string]>([
    ['no target', { url: URL }, '/target', 'missing-attribute'],
    ['no url', { target: 'a' }, '/url', 'missing-attribute'],
    ['a target that keeps credentials', { target: 'core.api-key', url: URL }, '/target'],
    ['a target that is no type', { target: '.', url: URL }, '/target'],
    ['no events', { target: 'a', url: URL, events: [] }, '/events'],
    ['an unknown event', { target: 'a', url: URL, events: ['read'] }, '/events'],
    ['an event twice', { target: 'a', url: URL, events: ['create', 'create'] }, '/events'],
    ['a secret that is short', { target: 'a', url: URL, secret: 'whsec_AAAA' }, '/secret'],
    ['a secret of another form', { target: 'a', url: URL, secret: 'A'.repeat(44) }, '/secret'],
    ['active as a word', { target: 'a', url: URL, active: 'yes' }, '/active'],
    ['a filter that is none', { target: 'a', url: URL, filter: 'n=1' }, '/filter'],
    ['an unknown operator', { target: 'a', url: URL, filter: { n: { $greater: 1 } } }, '/filter/n/$greater'],
    ['a search', { target: 'a', url: URL, filter: { $text: { $search: 'x' } } }, '/filter'],
    ['a viewer', { target: 'a', url: URL, filter: { by: '$$viewer.id' } }, '/filter'],
  ])('not %s', async (_name, attributes, pointer, code = 'invalid-attribute') => {
    expect(codesOf(await make(attributes))).toEqual([['422', code, `/data/attributes${pointer}`]]);
  });

  test('with a filter that nothing, or everything, meets: that is told', async () => {
    const said = async (filter: object) =>
      (await make({ target: 'a', url: URL, filter })).body.meta['warnings'];
    const warning = { code: 'decides-nothing', source: { pointer: '/data/attributes/filter' } };
    expect(await said({ n: { $in: [] } })).toMatchObject([warning]);
    expect(await said({ $or: [{ n: 1 }, { n: { $ne: 1 } }] })).toMatchObject([warning]);
  });

  test('without relationships', async () => {
    const relationships = { owner: { data: null } };
    expect(
      codesOf(await client.create(WEBHOOKS, { attributes: { target: 'a', url: URL }, relationships })),
    ).toEqual([['422', 'invalid-relationship', '/data/relationships/owner']]);
  });

  test('with a secret of its own, or one that the service makes, also anew', async () => {
    const secret = `whsec_${btoa('x'.repeat(24))}`;
    const made = await make({ target: 'secrets', url: URL, secret });
    expect(made.body.data.attributes).toEqual({
      target: 'secrets',
      url: URL,
      secret,
      events: ['create', 'update', 'delete'],
      active: true,
    });
    const { id } = made.body.data;
    const anew = await client.update(`${WEBHOOKS}/${id}`, { attributes: { secret: null } });
    expect(anew.body.data.attributes?.['secret']).toMatch(/^whsec_[A-Za-z0-9+/=]{44}$/);
    const after = await client.update(`${WEBHOOKS}/${id}`, { attributes: { active: false } });
    expect(after.body.data.attributes?.['secret']).toBe(anew.body.data.attributes?.['secret']);
    expect(after.headers.get('cache-control')).toContain('no-store');
  });

  test('one of ten for a type at most', async () => {
    for (let n = 0; n < 10; n += 1) expect((await make({ target: 'crowd', url: URL })).status).toBe(201);
    expect(codesOf(await make({ target: 'crowd', url: URL }))).toEqual([
      ['422', 'invalid-attribute', '/data/attributes/target'],
    ]);
    const other = await make({ target: 'no-crowd', url: URL });
    const { id } = other.body.data;
    expect((await client.update(`${WEBHOOKS}/${id}`, { attributes: { target: 'crowd' } })).status).toBe(422);
  });
});

describe('where it leads', () => {
  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'example.com',
    'https://user@example.com/',
    'https://user:word@example.com/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://intranet/',
    'https://router.lan/',
    'https://router.home.arpa/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://168.63.129.16/',
    'https://[::ffff:168.63.129.16]/',
    'https://api.default.svc/',
    'https://vault.service.consul/',
    'https://192.0.0.1/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://203.0.113.1/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fe80::1%25eth0]/',
    'https://[fec0::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
  ])('not to %s', async (url) => {
    expect(codesOf(await make({ target: 'a', url }))).toEqual([
      ['422', 'invalid-attribute', '/data/attributes/url'],
    ]);
  });

  test.each([
    'https://example.com/',
    'https://example.com:8443/a?b#c',
    'https://xn--bcher-kva.example/',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example.com/',
  ])('to %s', async (url) => {
    const made = await make({ target: 'public', url });
    expect(made.status, made.text).toBe(201);
    await client.delete(`${WEBHOOKS}/${made.body.data.id}`);
  });
});

test.each([
  ['does not reach it under npm start', {}, 'not reached'],
  ['reaches it where a setting allows that', { WEBHOOKS_TO_PRIVATE: 'yes' }, '204'],
])('a name that leads to this machine %s', async (_name, settings, told) => {
  const receiver = await newReceiver();
  const entry = workerNamed('outward');
  const service = await newService({ entry, settings });
  const url = encodeURIComponent(`http://localhost:${receiver.port}/`);
  const answer = await fetch(`${service.url}/test/outward?url=${url}`, { method: 'POST' });
  expect(await answer.text()).toBe(told);
});

describe('who may', () => {
  const EVERYTHING = may(EVERY_METHOD, '/webhooks/.*');

  test('nobody under ACL, whatever the rights', async () => {
    const { body } = await make({ target: 'a', url: URL });
    const { headers } = await makeUser(client, 'webhook-user');
    const under = await underAcl(client);
    const at = `${WEBHOOKS}/${body.data.id}`;
    const data = { type: 'core.webhook', attributes: { target: 'a', url: URL } };
    for (const [method, path, sent] of [
      ['GET', WEBHOOKS, undefined],
      ['POST', WEBHOOKS, { data }],
      ['GET', at, undefined],
      ['PATCH', at, { data: { ...data, id: body.data.id } }],
      ['DELETE', at, undefined],
      ['GET', `${at}/deliveries`, undefined],
      ['POST', `${at}/deliveries`, { meta: { ids: '*' } }],
      ['GET', `/webhooks/core.webhook.acl/${body.data.id}`, undefined],
    ] as const) {
      const reply = await under.send(method, path, { headers, ...(sent !== undefined && { body: sent }) });
      expect([method, path, reply.status, reply.text.includes('whsec')]).toEqual([method, path, 403, false]);
    }
  });

  test.each<[name: string, permission: object | null]>([
    ['no permission to read the type', null],
    ['a permission to read single documents of it', may('get', '/resources/private/[0-9a-f]{24}')],
    ['a permission under ACL', may('get', '/resources/private.*', ACL)],
    ['a rule', may('get', '/resources/private.*', { where: { public: true } })],
    ['fields', may('get', '/resources/private.*', { fields: { read: ['title'] } })],
  ])('no key that has for the type %s', async (_name, permission) => {
    const open = may('get', '/resources/open.*');
    const key = await client.withPermissions([
      ...[EVERYTHING, open],
      ...(permission === null ? [] : [permission]),
    ]);
    const refused = await make({ target: 'private', url: URL }, key);
    expect(codesOf(refused)).toEqual([['403', 'forbidden', '/data/attributes/target']]);
    // Nor does it turn one that is there to another address.
    const there = await make({ target: 'private', url: URL });
    const { id } = there.body.data;
    const data = { type: 'core.webhook', id, attributes: { url: 'https://example.org/' } };
    expect((await key.patch(`${WEBHOOKS}/${id}`, { data })).status).toBe(403);
    // Nor does it take the webhook with its secret to a type that it may read.
    const taken = { type: 'core.webhook', id, attributes: { target: 'open' } };
    expect((await key.patch(`${WEBHOOKS}/${id}`, { data: taken })).status).toBe(403);
    // Nor is it shown the secret, may search for it, or do anything about what the other is told.
    const secret = String(there.body.data.attributes?.['secret']);
    const at = `${WEBHOOKS}/${id}`;
    const shown = await Promise.all([at, WEBHOOKS].map((path) => key.get(path)));
    expect(shown.map(({ status, text }) => [status, text.includes(secret)])).toEqual([
      [200, false],
      [200, false],
    ]);
    const filter = `filter[secret]=${encodeURIComponent(JSON.stringify({ $regex: '^whsec_' }))}`;
    expect((await key.get(`${WEBHOOKS}?${filter}`)).body.meta.count).toBe(0);
    for (const [method, path, body] of [
      ['GET', `${at}/deliveries`, undefined],
      ['POST', `${at}/deliveries`, { meta: { ids: '*' } }],
      ['DELETE', at, undefined],
    ] as const) {
      const reply = await key.send(method, path, { ...(body !== undefined && { body }) });
      expect([method, reply.status, reply.body.errors[0]?.code]).toEqual([method, 403, 'forbidden']);
    }
    await client.delete(`${WEBHOOKS}/${id}`);
  });

  test('a key that may read all of the type', async () => {
    const reads = may('get', '/resources/private(/.*)?');
    const key = await client.withPermissions([EVERYTHING, reads]);
    const made = await make({ target: 'private', url: URL }, key);
    expect(made.status, made.text).toBe(201);
  });

  test('nobody of another application', async () => {
    const { body } = await make({ target: 'a', url: URL });
    const other = await Client.create();
    expect((await other.get(`${WEBHOOKS}/${body.data.id}`)).status).toBe(404);
    expect((await other.get(`${WEBHOOKS}/${body.data.id}/deliveries`)).status).toBe(404);
  });
});

test('webhooks are exported and imported with their secrets', async () => {
  const made = await make({ target: 'exported', url: URL, filter: { n: { $gt: 1 } } });
  const lines = (await exported(client.application, 'core.webhook')).split('\n');
  const line = lines.find((each) => each.includes(made.body.data.id)) ?? '';
  const other = await Client.create();
  const taken = await imported(other.application, 'core.webhook', line);
  expect(taken.status, taken.text).toBe(200);
  const read = await other.get(`${WEBHOOKS}/${made.body.data.id}`);
  expect(read.body.data.attributes).toEqual(made.body.data.attributes);
});
