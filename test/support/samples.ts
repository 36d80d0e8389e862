/** One valid request for each endpoint that is there, so that one test can ask them all. */
import { byOperator, operatorSamples } from './samples-operator.ts';
import { accountSamples, newSettings, SETTINGS } from './samples-accounts.ts';
import { sendMail } from './mails.ts';
import type { Sample } from './sample.ts';
import { makeUser, underAcl } from './people.ts';
import { ATOMIC_MEDIA_TYPE, operator, type Client } from './client.ts';

const PASSWORD = 'a long password';

let made = 0;
const unique = (word: string) => `${word}-${(made += 1)}`;

/** Samples by the path of the endpoint. Each call makes what its request needs, and shares nothing with others. */
export function samplesFor(client: Client): Readonly<Record<string, () => Promise<Sample>>> {
  const create = async (path: string, type: string, attributes?: object): Promise<string> => {
    const answer = await client.post(path, { data: { type, ...(attributes && { attributes }) } });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.data.id;
  };
  /** The two paths of a type: its collection, and a document of it. */
  const ofType = (path: string, type: string, attributes: () => object, patch?: object) => ({
    [path]: () =>
      Promise.resolve({ address: path, bodies: { POST: { data: { type, attributes: attributes() } } } }),
    [`${path}/{id}`]: async () => {
      const id = await create(path, type, attributes());
      const data = { type, id, attributes: patch ?? attributes() };
      return { address: `${path}/${id}`, bodies: { PATCH: { data } } };
    },
  });
  /** The two paths of a document's relationship `kin`; `at` makes a document and gives its address. */
  const ofRelationships = (
    path: string,
    at: () => Promise<string>,
    headers?: Sample['headers'],
    name = 'kin',
  ) => {
    const sample = async (rest: string): Promise<Sample> => {
      const document = await at();
      const own = headers && { headers };
      const made = await client.patch(`${document}/relationships/${name}`, { data: null }, headers);
      if (made.status !== 200) throw new Error(made.text);
      return {
        address: `${document}${rest}`,
        bodies: { PATCH: { data: null }, POST: { data: [] }, DELETE: { data: [] } },
        ...own,
      };
    };
    return {
      [`${path}/{id}/relationships/{name}`]: () => sample(`/relationships/${name}`),
      [`${path}/{id}/{name}`]: async () => ({ ...(await sample(`/${name}`)), bodies: {} }),
    };
  };
  const relationshipsOf = (path: string, type: string, attributes: () => object) =>
    ofRelationships(path, async () => `${path}/${await create(path, type, attributes())}`);
  const ofAcl = (module: string, type: string, attributes?: () => object) => ({
    [`${module}/{type}.acl/{id}`]: async () => {
      const id = await create(`${module}/${type}`, type, attributes?.());
      const data = { type: `${type}.acl`, id, attributes: { read: '*' } };
      return { address: `${module}/${type}.acl/${id}`, bodies: { PATCH: { data } } };
    },
  });

  const user = () => ({ username: unique('user'), password: PASSWORD });
  const key = () => ({ name: unique('key'), permissions: [] });
  const schema = () => ({ target: unique('target'), content: { type: 'object' } });

  const settings = () => ({ name: unique('settled'), unique: [['a']] });
  const webhook = () => ({ target: unique('told'), url: 'https://example.com/hook' });
  const aggregate = () => ({
    'input-type': 'things',
    'output-type': `agt.${unique('sums')}`,
    pipeline: [{ limit: 1 }],
  });
  /** An aggregate of one output `all` with a relationship `name`, over a type of its own. */
  const output = async (rest: string): Promise<Sample> => {
    const type = unique('inputs');
    await client.make(type);
    const attributes = {
      'input-type': type,
      'output-type': `agt.${type}`,
      pipeline: [
        { project: { id: 'all', name: { type: '$type', id: '$id' } } },
        { output: { attributes: [], relationships: ['name'] } },
      ],
    };
    await create('/aggregates/core.aggregate', 'core.aggregate', attributes);
    return { address: `/aggregates/agt.${type}${rest}` };
  };

  /** The versions of a document, whose type has a history. */
  const versioned = async (rest: string): Promise<Sample> => {
    const type = unique('versioned');
    const settled = { name: type, history: 'forever' };
    await create('/schemas/core.type', 'core.type', settled);
    return { address: `/resources/${type}/${await create(`/resources/${type}`, type)}/versions${rest}` };
  };

  const login = async () => {
    const attributes = user();
    await create('/users/core.user', 'core.user', attributes);
    return { authorization: `Basic ${btoa(`${attributes.username}:${PASSWORD}`)}` };
  };
  const externalLogin = async () => {
    const id = await create('/users/core.external-user', 'core.external-user');
    return { authorization: `External ${btoa(`id:${id}`)}` };
  };
  const token = async (path: string, headers: Record<string, string>) => {
    const answer = await client.post(path, undefined, headers);
    if (answer.status !== 201) throw new Error(answer.text);
    return { address: `${path}/${answer.body.data.id}` };
  };

  const tokenLinks = (path: string, headers: () => Promise<Record<string, string>>) =>
    Object.fromEntries(
      ['/relationships/{name}', '/{name}'].map((rest) => [
        `${path}/{id}${rest}`,
        async () => {
          const { address } = await token(path, await headers());
          return { address: `${address}${rest.replace('{name}', 'user')}` };
        },
      ]),
    );

  const FILES = '/files/core.file';
  const plain = { 'content-type': 'text/plain' };
  const file = async (): Promise<string> => {
    const stored = await client.send('POST', FILES, { body: 'Hello', headers: plain });
    if (stored.status !== 201) throw new Error(stored.text);
    return stored.body.data.id;
  };

  const [tokens, externalTokens] = ['/users/core.user.token', '/users/core.external-user.token'];
  const sample = (address: string) => Promise.resolve({ address, bodies: {} });
  const ofUser = async (address: string): Promise<Sample> => {
    const { headers } = await makeUser(client, `logged-in-${(made += 1)}`);
    const { key } = await underAcl(client);
    return { address, bodies: {}, headers: { ...headers, 'api-key': key } };
  };
  return {
    '/resources': () => sample('/resources'),
    '/users/core.session': () => ofUser('/users/core.session'),
    '/users/core.own-data': async () => {
      await newSettings(client);
      return ofUser('/users/core.own-data');
    },
    '/resources/{type}/changes': () => sample('/resources/things/changes'),
    '/users/core.user/changes': () => sample('/users/core.user/changes'),
    '/users/core.user-group/changes': () => sample('/users/core.user-group/changes'),
    '/users/core.external-user/changes': () => sample('/users/core.external-user/changes'),
    '/users/core.account-settings/changes': () => sample('/users/core.account-settings/changes'),
    '/resources/{type}': async () => {
      const methods = ['get', 'post', 'patch', 'delete', 'bulk'];
      const { key } = await client.withPermissions([{ path: '/resources/things', methods }]);
      const [data, meta, query] = [{ type: 'things' }, { limit: 1000 }, '?filter[*]={}'];
      return {
        address: '/resources/things',
        bodies: { POST: { data }, PATCH: { data, meta }, DELETE: { meta } },
        queries: { PATCH: query, DELETE: query },
        headers: { 'api-key': key },
      };
    },
    '/operations': () => {
      const operations = [{ op: 'add', data: { type: 'things' } }];
      return Promise.resolve({
        address: '/operations',
        bodies: { POST: { 'atomic:operations': operations } },
        headers: { 'content-type': ATOMIC_MEDIA_TYPE },
      });
    },
    '/resources/{type}/{id}': async () => {
      const { id } = await client.make('things');
      return { address: `/resources/things/${id}`, bodies: { PATCH: { data: { type: 'things', id } } } };
    },
    '/resources/{type}/{id}/relationships/{name}': async () => {
      const link = { type: 'things', id: (await client.make('things')).id };
      const { id } = await client.make('things', undefined, { name: { data: link } });
      return {
        address: `/resources/things/${id}/relationships/name`,
        bodies: { PATCH: { data: link }, POST: { data: [link] }, DELETE: { data: [link] } },
      };
    },
    '/resources/{type}/{id}/versions': () => versioned(''),
    '/resources/{type}/{id}/versions/{number}': () => versioned('/1'),
    '/resources/{type}/{id}/versions/{number}/restore': () => versioned('/1/restore'),
    '/resources/{type}/{id}/{name}': async () => {
      const { id } = await client.make('things', undefined, { name: { data: null } });
      return { address: `/resources/things/${id}/name` };
    },
    ...ofType('/users/core.user', 'core.user', user, { nickname: 'x' }),
    ...ofType('/users/core.user-group', 'core.user-group', () => ({ name: 'x' })),
    ...ofType('/users/core.external-user', 'core.external-user', () => ({ name: 'x' })),
    ...ofType('/api-keys/core.api-key', 'core.api-key', key),
    ...ofType('/schemas/core.schema', 'core.schema', schema, { content: { type: 'object' } }),
    ...ofType('/schemas/core.type', 'core.type', settings, { unique: [['b']] }),
    ...ofType('/aggregates/core.aggregate', 'core.aggregate', aggregate),
    ...ofType('/webhooks/core.webhook', 'core.webhook', webhook),
    [FILES]: () => Promise.resolve({ address: FILES, bodies: { POST: 'Hello' }, headers: plain }),
    [`${FILES}/changes`]: () => sample(`${FILES}/changes`),
    [`${FILES}/{id}`]: async () => {
      const id = await file();
      return { address: `${FILES}/${id}`, bodies: { PATCH: { data: { type: 'core.file', id } } } };
    },
    [`${FILES}/{id}/content`]: async () => sample(`${FILES}/${await file()}/content`),
    ...ofRelationships(FILES, async () => `${FILES}/${await file()}`),
    '/files/{type}.acl/{id}': async () => {
      const id = await file();
      const data = { type: 'core.file.acl', id, attributes: { read: '*' } };
      return { address: `/files/core.file.acl/${id}`, bodies: { PATCH: { data } } };
    },
    '/files/core.file/{id}/links': async () => {
      const meta = { until: new Date(Date.now() + 60_000).toISOString() };
      return { address: `/files/core.file/${await file()}/links`, bodies: { POST: { meta } } };
    },
    '/api-keys/core.api-key/{id}/decision': async () => {
      const id = await create('/api-keys/core.api-key', 'core.api-key', key());
      const meta = { method: 'GET', path: '/resources/things' };
      return { address: `/api-keys/core.api-key/${id}/decision`, bodies: { POST: { meta } } };
    },
    '/webhooks/core.webhook/{id}/deliveries': async () => {
      const id = await create('/webhooks/core.webhook', 'core.webhook', webhook());
      return { address: `/webhooks/core.webhook/${id}/deliveries`, bodies: { POST: { meta: { ids: '*' } } } };
    },
    ...relationshipsOf('/users/core.user', 'core.user', user),
    ...relationshipsOf('/users/core.user-group', 'core.user-group', () => ({})),
    ...relationshipsOf('/users/core.external-user', 'core.external-user', () => ({})),
    ...relationshipsOf('/api-keys/core.api-key', 'core.api-key', key),
    ...relationshipsOf('/schemas/core.schema', 'core.schema', schema),
    ...relationshipsOf('/schemas/core.type', 'core.type', settings),
    ...relationshipsOf('/aggregates/core.aggregate', 'core.aggregate', aggregate),
    ...ofRelationships(
      '/applications/core.application',
      async () => `/applications/core.application/${(await operator().create('sample')).id}`,
      byOperator(),
    ),
    ...tokenLinks(tokens, login),
    ...tokenLinks(externalTokens, externalLogin),
    '/aggregates/{type}': () => output(''),
    '/aggregates/{type}/{id}': () => output('/all'),
    '/aggregates/{type}/{id}/relationships/{name}': () => output('/all/relationships/name'),
    '/aggregates/{type}/{id}/{name}': () => output('/all/name'),
    [tokens]: async () => ({ address: tokens, headers: await login() }),
    [`${tokens}/{id}`]: async () => token(tokens, await login()),
    [externalTokens]: async () => ({ address: externalTokens, headers: await externalLogin() }),
    [`${externalTokens}/{id}`]: async () => token(externalTokens, await externalLogin()),
    ...ofAcl('/resources', 'things'),
    ...ofAcl('/users', 'core.user-group'),
    ...ofAcl('/api-keys', 'core.api-key', key),
    ...ofAcl('/schemas', 'core.schema', schema),
    ...ofAcl('/aggregates', 'core.aggregate', aggregate),
    ...ofAcl('/webhooks', 'core.webhook', webhook),
    ...accountSamples(client),
    ...ofRelationships(SETTINGS, async () => `${SETTINGS}/${await newSettings(client)}`, undefined, 'groups'),
    '/users/core.mail': () => Promise.resolve({ address: '/users/core.mail' }),
    '/users/core.mail/{id}': async () => {
      await sendMail(client);
      const [mail] = (await client.get('/users/core.mail?page[limit]=1')).body.data;
      return { address: `/users/core.mail/${mail?.id ?? ''}` };
    },
    '/audit/core.audit-entry': () => Promise.resolve({ address: '/audit/core.audit-entry' }),
    '/audit/core.audit-entry/{id}': async () => ({
      address: `/audit/core.audit-entry/${await anEntry(client)}`,
    }),
    '/files/uploads': () => {
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '5' };
      return Promise.resolve({ address: '/files/uploads', headers });
    },
    '/files/uploads/{id}': async () => {
      const version = { 'tus-resumable': '1.0.0' };
      const headers = { ...version, 'upload-length': '5' };
      const begun = await client.send('POST', '/files/uploads', { headers });
      const bytes = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
      const address = new URL(begun.headers.get('location') ?? '').pathname;
      return { address, bodies: { PATCH: 'Hello' }, headers: { ...version, ...bytes } };
    },
    ...operatorSamples(client, file),
  };
}

/** The id of an entry of the audit trail, once there is one. */
async function anEntry(client: Client): Promise<string> {
  await operator().change(client.application, { 'audit-days': 1 });
  await client.make('audited');
  for (;;) {
    const [entry] = (await client.get('/audit/core.audit-entry?page[limit]=1')).body.data;
    if (entry !== undefined) return entry.id;
  }
}
