/** What an application has that people use: users, groups, keys, schemas, aggregates, webhooks, a trail. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type Credentials } from '../support/started.ts';

/** Documents that pictures show. */
export interface Ids {
  readonly movie: string;
  readonly key: string;
  readonly schema: string;
  readonly aggregate: string;
  readonly group: string;
  readonly account: string;
  readonly provider: string;
  readonly file: string;
}

/** Files of an application: pictures that are at hand, and what is none. */
const STORED = [
  ['minutes.txt', 'text/plain', 'What was said'],
  ['contract.pdf', 'application/pdf', '%PDF-1.4'],
  ...['usage-dark', 'key-light', 'aggregate-dark', 'documents-light'].map(
    (name) => [`${name}.png`, 'image/png', readFileSync(join(ROOT, `docs/pictures/${name}.png`))] as const,
  ),
] as const;

const MEDIA_TYPE = 'application/vnd.api+json';

export async function prepare(credentials: Credentials, secret: string, hook: string): Promise<Ids> {
  const { base_url: base, application_id: application, api_key: key } = credentials;
  const send = async (method: string, path: string, body?: unknown, own?: Record<string, string>) => {
    const headers = own ?? { 'application-id': application, 'api-key': key };
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, 'content-type': MEDIA_TYPE },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text) as { readonly data: { readonly id: string } & { readonly id: string }[] };
  };
  const make = async (path: string, attributes: object, relationships?: object) => {
    const type = path.slice(path.lastIndexOf('/') + 1);
    const { data } = await send('POST', path, {
      data: { type, attributes, ...(relationships && { relationships }) },
    });
    return data.id;
  };
  const operator = { authorization: `Bearer ${secret}` };
  const attributes = { 'audit-days': 30, quotas: { documents: 10_000, bytes: 20_000_000 } };
  await send(
    'PATCH',
    `/applications/core.application/${application}`,
    { data: { type: 'core.application', id: application, attributes } },
    operator,
  );
  const users = [];
  for (const username of ['ada', 'grace', 'katherine', 'margaret']) {
    users.push(await make('/users/core.user', { username, password: `${username} knows it` }));
  }
  const links = users.slice(0, 3).map((id) => ({ type: 'core.user', id }));
  const group = await make('/users/core.user-group', { name: 'Editors' }, { users: { data: links } });
  const settings = { name: 'Reel club', sender: 'hello@reel.example', 'sign-up': 'open', confirm: 'later' };
  const account = await make('/users/core.account-settings', settings);
  const known = { name: 'github', 'client-id': 'Iv1.8a61f9b3a7aba766', 'client-secret': 'nobody sees it' };
  const provider = await make('/users/core.identity-provider', known);
  const website = await make('/api-keys/core.api-key', {
    name: 'website',
    permissions: [
      { path: '/resources/movies(/[0-9a-f]{24})?', methods: ['get'] },
      {
        path: '/resources/reviews(/[0-9a-f]{24})?',
        methods: ['get', 'post', 'patch'],
        acl: { active: true },
      },
      { path: '/users/core.user.token', methods: ['post'] },
    ],
  });
  const schema = await make('/schemas/core.schema', {
    target: 'movies',
    content: {
      type: 'object',
      properties: {
        attributes: {
          type: 'object',
          properties: {
            title: { type: ['string', 'number'] },
            imdb: { type: 'number', minimum: 0, maximum: 10 },
            genre: { type: 'string' },
          },
          required: ['title'],
        },
      },
    },
  });
  const aggregate = await make('/aggregates/core.aggregate', {
    'input-type': 'movies',
    'output-type': 'agt.genres',
    pipeline: [
      { filter: { imdb: { $gt: 0 } } },
      { group: { id: '$genre', movies: { $sum: 1 }, mean: { $avg: '$imdb' } } },
      { sort: '-movies' },
    ],
  });
  await make('/webhooks/core.webhook', {
    target: 'movies',
    url: hook,
    filter: { imdb: { $gte: 8 } },
  });
  const { data } = await send(
    'GET',
    '/resources/movies?sort=-imdb&page[limit]=1&filter[imdbVotes]={"$gt":100000}',
  );
  const movie = data[0]?.id ?? '';
  await send('PATCH', `/resources/movies/${movie}`, {
    data: { type: 'movies', id: movie, attributes: { rewatched: { $date: '2026-11-21T20:15:00Z' } } },
  });
  await make('/resources/movies', { title: 'The Long Reel', imdb: 8.4, genre: 'Drama' });
  let file = '';
  for (const [name, type, content] of STORED) {
    const response = await fetch(`${base}/files/core.file`, {
      method: 'POST',
      headers: {
        ...{ 'application-id': application, 'api-key': key, 'content-type': type },
        'content-disposition': `attachment; filename="${name}"`,
      },
      body: content,
    });
    file = (await response.json<{ readonly data: { readonly id: string } }>()).data.id;
  }
  await make('/schemas/core.type', { name: 'messages', files: ['picture'] });
  const picture = { data: { type: 'core.file', id: file } };
  await make('/resources/messages', { title: 'Look at the table!' }, { picture });
  return { movie, key: website, schema, aggregate, group, account, provider, file };
}
