/** How id tokens are let in: the issuer that the operator sets, and the permission that a key needs. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { asOperator, Client, MEDIA_TYPE, NO_ID, operator, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { CLIENT } from '../support/issuer.ts';
import { may } from '../support/people.ts';
import { newIssuer } from '../support/scope.ts';

const TOKENS = '/users/core.external-user.token';
const REFUSED = ['401 invalid-login Authorization:'];

const issuer = await newIssuer();
const client = await Client.create();

const trust = (url: string) =>
  operator().change(client.application, { oidc: { issuer: url, audience: CLIENT } });

const present = (idToken: string, by = client): Promise<Reply> =>
  by.post(TOKENS, undefined, { authorization: `Bearer ${idToken}` });

describe('the operator', () => {
  const send = (attributes: unknown, id = client.application) =>
    client.update(`/applications/core.application/${id}`, { attributes }, asOperator());
  const at = (step: string) => [`422 invalid-attribute /data/attributes/oidc${step}`];
  const sound = { issuer: 'https://accounts.example.com', audience: CLIENT };

  test.each([
    ['a text', 'https://accounts.example.com', ['']],
    ['true', true, ['']],
    ['a list', [sound], ['']],
    ['an unknown member', { ...sound, secret: 'x' }, ['']],
    ['nothing in it', {}, ['/issuer', '/audience']],
    ['no issuer', { audience: CLIENT }, ['/issuer']],
    ['an issuer that is no text', { ...sound, issuer: 1 }, ['/issuer']],
    ['an issuer that is no address', { ...sound, issuer: 'accounts.example.com' }, ['/issuer']],
    ['an issuer over http', { ...sound, issuer: 'http://accounts.example.com' }, ['/issuer']],
    [
      'an issuer that only looks like this machine',
      { ...sound, issuer: 'http://127.0.0.1.example.com' },
      ['/issuer'],
    ],
    ['an issuer with a query', { ...sound, issuer: `${sound.issuer}?x=1` }, ['/issuer']],
    ['an issuer with a fragment', { ...sound, issuer: `${sound.issuer}#x` }, ['/issuer']],
    ['an issuer with a password', { ...sound, issuer: 'https://me:pw@accounts.example.com' }, ['/issuer']],
    ['an issuer that is a file', { ...sound, issuer: 'file:///etc/passwd' }, ['/issuer']],
    [
      'an issuer of more than 1,024 characters',
      { ...sound, issuer: `https://a.example/${'x'.repeat(1024)}` },
      ['/issuer'],
    ],
    ['no audience', { issuer: sound.issuer }, ['/audience']],
    ['an empty audience', { ...sound, audience: '' }, ['/audience']],
    ['several audiences', { ...sound, audience: [CLIENT] }, ['/audience']],
  ])('may not set %s', async (_, oidc, steps) => {
    expect(faultsOf(await send({ oidc }))).toEqual(steps.flatMap(at));
  });

  test.each([
    sound.issuer,
    `${sound.issuer}/tenant/`,
    'http://127.0.0.1:9/',
    'http://localhost:9',
    'http://[::1]:9',
  ])('may set the issuer %s', async (address) => {
    const set = await send({ oidc: { ...sound, issuer: address } });
    expect(set.body.data.attributes?.['oidc']).toEqual({ ...sound, issuer: address });
  });

  test('ends it with null, for the next login', async () => {
    await trust(issuer.url);
    const idToken = await issuer.login('ended');
    expect((await present(idToken)).status).toBe(201);
    expect((await send({ oidc: null })).status).toBe(200);
    expect(faultsOf(await present(idToken))).toEqual(REFUSED);
  });

  test('alone sets it: an API key does not', async () => {
    const body = { data: { type: 'core.application', id: client.application, attributes: { oidc: sound } } };
    const path = `/applications/core.application/${client.application}`;
    expect(faultsOf(await client.patch(path, body))).toEqual(['401 operator-required Authorization:']);
    expect((await client.patch(path.replace('applications', 'resources'), body)).status).toBe(404);
  });

  test('may use the command line', async () => {
    const app = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../scripts/app.ts'), ...args], {
        env: { ...process.env, FOREDGE_URL: inject('url'), OPERATOR_SECRET: inject('operatorSecret') },
      });
    const id = client.application;
    expect((await app('oidc', id, issuer.url, CLIENT)).stdout).toBe(`${id}  trusts ${issuer.url}\n`);
    const idToken = await issuer.login('command');
    expect((await present(idToken)).status).toBe(201);
    expect((await app('oidc', id, 'off')).stdout).toBe(`${id}  trusts no issuer\n`);
    expect((await present(idToken)).status).toBe(401);
    await expect(app('oidc', id, 'http://example.com', CLIENT)).rejects.toThrow('must be an https address');
    await expect(app('oidc', id, issuer.url)).rejects.toThrow('needs an audience');
  });
});

describe('the permission for the login', () => {
  const login = (acl?: object) => [
    { path: TOKENS.replaceAll('.', '\\.'), methods: ['post'], ...(acl && { acl }) },
  ];
  const external = (id: string) => ({ authorization: `External ${btoa(`id:${id}`)}` });
  let user: string;
  beforeAll(async () => {
    await trust(issuer.url);
    user = (await client.create('/users/core.external-user')).body.data.id;
  });

  test('without ACL lets in an id token and an id', async () => {
    const proxy = await client.withPermissions(login());
    expect((await present(await issuer.login('proxied'), proxy)).status).toBe(201);
    expect((await proxy.post(TOKENS, undefined, external(user))).status).toBe(201);
  });

  test('with ACL lets in an id token, and nobody by an id', async () => {
    const web = await client.withPermissions(login({ active: true }));
    expect((await present(await issuer.login('direct'), web)).status).toBe(201);
    const refused = ['401 token-required Authorization:'];
    expect(faultsOf(await web.post(TOKENS, undefined, external(user)))).toEqual(refused);
    expect(faultsOf(await web.post(TOKENS))).toEqual(refused);
    expect(faultsOf(await present('made-up', web))).toEqual(REFUSED);
  });

  test.each([
    ['white', { 'endpoint-access-list-flavor': 'white' }],
    ['black', { 'endpoint-access-list': [{ type: 'core.user', id: NO_ID }] }],
  ])('with a %s list that names somebody lets nobody in: who it is, is not known yet', async (_, list) => {
    const web = await client.withPermissions(login({ active: true, ...list }));
    const refused = await present(await issuer.login('listed'), web);
    expect(faultsOf(refused)).toEqual(['401 token-required Authorization:']);
  });

  test('for another path or method is 403, and makes no user', async () => {
    const web = await client.withPermissions([may('post', `${TOKENS}/.*|/resources/.*`)]);
    expect((await present(await issuer.login('unpermitted'), web)).status).toBe(403);
    const found = await client.get('/users/core.external-user?filter[source.subject]="unpermitted"');
    expect(found.body.meta.count).toBe(0);
  });

  test('takes a body for nothing', async () => {
    const idToken = await issuer.login('with a body');
    const body = {
      data: { type: 'core.external-user.token', attributes: { created: 0, 'holder-version': 0 } },
    };
    const made = await client.post(TOKENS, body, {
      authorization: `Bearer ${idToken}`,
      'content-type': MEDIA_TYPE,
    });
    expect(Object.keys(made.body.data.attributes ?? {})).toEqual(['token', 'created']);
    expect(made.body.data.attributes?.['created']).not.toBe(0);
  });
});
