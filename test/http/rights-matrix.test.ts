/**
 * Who may do what: every endpoint of one document, of resources, users and groups, for every kind of person, from one
 * table. Lists, counts, includes and searches show a person exactly what that person may read.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { EVERY_METHOD, grant, linkOf, may, underAcl } from '../support/people.ts';
import {
  makeCast,
  PEOPLE,
  READ,
  rowsOf,
  share,
  UPDATE,
  type Name,
  type Row,
} from '../support/rights-matrix.ts';

const trusted = await Client.create();
const web = await underAcl(trusted);
const cast = await makeCast(trusted);
const { people, group } = cast;
const target = linkOf(await trusted.create('/resources/targets'));
await grant(trusted, `/resources/targets/${target.id}`, { read: '*' });

let made = 0;

async function makeShared(type: string): Promise<string> {
  made += 1;
  const attributes =
    type === 'core.user'
      ? { username: `made-${made}`, password: 'a good secret' }
      : { title: `made ${made}` };
  const relationships = type === 'notes' ? { link: { data: target } } : undefined;
  const path = type === 'notes' ? '/resources/notes' : `/users/${type}`;
  const reply = await trusted.post(path, { data: { type, attributes, relationships } });
  if (reply.status !== 201) throw new Error(reply.text);
  await share(trusted, cast, `${path}/${reply.body.data.id}`);
  return reply.body.data.id;
}

const relationship = (id: string) => `/resources/notes/${id}/relationships/link`;
const RELATIONSHIPS: readonly Row[] = [
  ['read a relationship', 'GET', relationship, null, READ],
  ['read related documents', 'GET', (id) => `/resources/notes/${id}/link`, null, READ],
  ['append to a relationship', 'POST', relationship, () => ({ data: [target] }), UPDATE],
  ['remove from a relationship', 'DELETE', relationship, () => ({ data: [target] }), UPDATE],
  ['replace a relationship', 'PATCH', relationship, () => ({ data: target }), UPDATE],
];

const MATRIX = [
  ...[
    ...rowsOf('/resources/notes', 'notes').slice(0, 7),
    ...RELATIONSHIPS,
    ...rowsOf('/resources/notes', 'notes').slice(7),
  ].map((row) => ['notes', row] as const),
  ...rowsOf('/users/core.user', 'core.user').map((row) => ['core.user', row] as const),
  ...rowsOf('/users/core.user-group', 'core.user-group').map((row) => ['core.user-group', row] as const),
].map(([type, row]) => [type, row[0], row] as const);

describe('with ACL on', () => {
  test.each(MATRIX)('%s: to %s needs the right', async (type, _title, [, method, path, body, statuses]) => {
    const shared = method === 'DELETE' && type !== 'notes' ? null : await makeShared(type);
    const found: string[] = [];
    for (const name of PEOPLE) {
      // What is deleted or loses its links must be a document of its own.
      const id = shared === null || method === 'DELETE' ? await makeShared(type) : shared;
      const options = { headers: people[name].headers, ...(body !== null && { body: body(id) }) };
      found.push(String((await web.send(method, path(id), options)).status));
    }
    expect(found.join(' ')).toBe(statuses);
  });

  test.each(MATRIX)('%s: without ACL anybody may %s', async (type, _title, [, method, path, body]) => {
    const id = await makeShared(type);
    const reply = await trusted.send(method, path(id), body === null ? {} : { body: body(id) });
    expect(reply.status).toBe(method === 'DELETE' && path(id).split('/').length < 5 ? 204 : 200);
  });
});

describe('what a person finds', () => {
  const near = { $geometry: { type: 'Point', coordinates: [10, 10] } };
  let visible: string;
  let hidden: string;
  let open: string;
  let gate: string;

  beforeAll(async () => {
    const make = async (word: string, links?: unknown) => {
      const attributes = { word, place: { type: 'Point', coordinates: [10, 10] } };
      return (await trusted.make('found', attributes, links)).id;
    };
    [visible, hidden, open] = [await make('secret'), await make('secret'), await make('secret')];
    await share(trusted, cast, `/resources/found/${visible}`);
    await grant(trusted, `/resources/found/${open}`, { read: '*' });
    const links = [visible, hidden, open].map((id) => ({ type: 'found', id }));
    gate = (await trusted.make('gates', {}, { links: { data: links } })).id;
    await grant(trusted, `/resources/gates/${gate}`, { read: '*' });
  });

  const searches: readonly (readonly [string, string])[] = [
    ['the whole collection', ''],
    ['a search for text', `filter[*]=${JSON.stringify({ $text: { $search: 'secret' } })}`],
    ['a search by distance', `filter[place]=${JSON.stringify({ $near: near })}`],
    ['a page by cursor', 'page[after]=&page[size]=10'],
  ];

  test.each(searches)('in %s is what may be read, and is all that is counted', async (_name, query) => {
    for (const name of PEOPLE.slice(1)) {
      const reply = await web.get(`/resources/found?${query}`, people[name].headers);
      const readers: readonly Name[] = ['owner', 'reader', 'member', 'external'];
      const expected = readers.includes(name) ? [visible, open] : [open];
      expect(reply.body.data.map(({ id }) => id).sort(), name).toEqual([...expected].sort());
      expect(reply.body.meta.count, name).toBe(expected.length);
    }
  });

  test('behind a document is what may be read at its own address', async () => {
    for (const name of PEOPLE.slice(1)) {
      const readers: readonly Name[] = ['owner', 'reader', 'member', 'external'];
      const expected = (readers.includes(name) ? [visible, open] : [open]).sort();
      const included = await web.get(`/resources/gates/${gate}?include=links`, people[name].headers);
      expect(included.body.included.map(({ id }) => id).sort(), name).toEqual(expected);
      const related = await web.get(`/resources/gates/${gate}/links`, people[name].headers);
      expect(related.body.data.map(({ id }) => id).sort(), name).toEqual(expected);
    }
  });
});

describe('lists of a permission', () => {
  /** Of member, through its group; of reader, by itself. */
  const LISTS: readonly (readonly [
    title: string,
    acl: () => object,
    statuses: Readonly<Partial<Record<Name, number>>>,
  ])[] = [
    [
      'a black endpoint list bars whom it names',
      () => ({ 'endpoint-access-list': [people.reader.link] }),
      { reader: 403, member: 200, other: 403 },
    ],
    [
      'a black endpoint list bars a group',
      () => ({ 'endpoint-access-list-flavor': 'black', 'endpoint-access-list': [group] }),
      { reader: 200, member: 403, former: 403 },
    ],
    [
      'a white endpoint list lets in whom it names alone',
      () => ({
        'endpoint-access-list-flavor': 'white',
        'endpoint-access-list': [people.reader.link, people.external.link],
      }),
      { reader: 200, external: 200, member: 403, owner: 403 },
    ],
    [
      'an empty white endpoint list lets in nobody',
      () => ({ 'endpoint-access-list-flavor': 'white' }),
      { owner: 403, reader: 403 },
    ],
    [
      'a white document list exempts whom it names',
      () => ({ 'document-access-list': [people.other.link, group] }),
      { other: 200, member: 200, updater: 403 },
    ],
    [
      'a black document list puts under ACL whom it names alone',
      () => ({ 'document-access-list-flavor': 'black', 'document-access-list': [people.other.link] }),
      { other: 403, updater: 200, reader: 200 },
    ],
    [
      'an empty black document list puts nobody under ACL',
      () => ({ 'document-access-list-flavor': 'black' }),
      { other: 200 },
    ],
  ];

  test.each(LISTS)('%s', async (_title, acl, statuses) => {
    const id = await makeShared('notes');
    const listed = await trusted.withPermissions([
      may(EVERY_METHOD, '/resources/.*', { acl: { active: true, ...acl() } }),
    ]);
    for (const name of PEOPLE) {
      const expected = name === 'nobody' ? 401 : statuses[name];
      if (expected === undefined) continue;
      expect((await listed.get(`/resources/notes/${id}`, people[name].headers)).status, name).toBe(expected);
    }
  });

  test('the first permission that admits decides, and one that does not admit is passed over', async () => {
    const id = await makeShared('notes');
    const path = '/resources/notes/.*';
    const white = {
      active: true,
      'endpoint-access-list-flavor': 'white',
      'endpoint-access-list': [people.other.link],
    };
    const client = await trusted.withPermissions([may('get', path, { acl: white }), may('get', path)]);
    // Other is admitted by the first and may not read; everybody else by the second, without ACL.
    expect((await client.get(`/resources/notes/${id}`, people.other.headers)).status).toBe(403);
    expect((await client.get(`/resources/notes/${id}`, people.updater.headers)).status).toBe(200);
    expect((await client.get(`/resources/notes/${id}`)).status).toBe(200);
  });
});
