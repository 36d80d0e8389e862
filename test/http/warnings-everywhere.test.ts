/**
 * Warnings and strict handling beyond lists of stored documents: one document, related documents, inverses, outputs of
 * aggregates, changes of many, users and groups. The same mechanism, and nothing of what its sender may not read.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { EVERY_METHOD, makeUser, type Person } from '../support/people.ts';
import { STRICT, warningsOf } from '../support/warnings.ts';

let client: Client;
let author: string;
let article: string;
let shelf: string;
let user: Person;
let group: string;
let total: string;
beforeAll(async () => {
  client = await Client.create();
  const inverses = { articles: { type: 'articles', through: 'author' } };
  await client.post('/schemas/core.type', {
    data: { type: 'core.type', attributes: { name: 'authors', inverses } },
  });
  ({ id: author } = await client.make('authors', { name: 'Mary' }));
  await client.make(
    'authors',
    { name: 'Ada', born: 1815 },
    { friend: { data: { type: 'authors', id: author } } },
  );
  const link = { data: { type: 'authors', id: author } };
  ({ id: article } = await client.make('articles', { title: 'T', year: 1818 }, { author: link }));
  ({ id: shelf } = await client.make(
    'shelves',
    {},
    { authors: { data: [{ type: 'authors', id: author }] } },
  ));
  await client.post('/aggregates/core.aggregate', {
    data: {
      type: 'core.aggregate',
      attributes: {
        'input-type': 'articles',
        'output-type': 'agt.years',
        pipeline: [
          { group: { id: '$year', total: { $sum: 1 } } },
          { project: { total: 1, author: { type: 'authors', id: { $oid: author } } } },
          { output: { attributes: ['total'], relationships: ['author'] } },
        ],
      },
    },
  });
  const outputs = await client.get('/aggregates/agt.years');
  total = (outputs.body.data as readonly { readonly id: string }[])[0]?.id ?? '';
  user = await makeUser(client, 'warned');
  const members = { users: { data: [user.link] } };
  const made = await client.post('/users/core.user-group', {
    data: { type: 'core.user-group', attributes: { name: 'G' }, relationships: members },
  });
  group = made.body.data.id;
});

/** Both ways to say it. */
async function expectWarnings(path: string, expected: readonly string[]) {
  const reply = await client.get(path);
  expect([reply.status, warningsOf(reply)], reply.text).toEqual([200, expected]);
  await expectStrictly(path, expected);
}

async function expectStrictly(path: string, expected: readonly string[]) {
  const strict = await client.get(path, STRICT);
  expect(strict.headers.get('preference-applied')).toBe('handling=strict');
  if (expected.length === 0) expect([strict.status, strict.text]).toEqual([200, strict.text]);
  else expect(faultsOf(strict)).toEqual(expected.map((each) => `400 ${each.replace(' ', ' ?')}`));
}

type Case = [path: () => string, warnings: readonly string[]];
const named = (cases: readonly Case[]) =>
  cases.map(([path, warnings]) => [String(path), path, warnings] as const);

describe('a read of one document', () => {
  test.each(
    named([
      [() => `/resources/articles/${article}?fields[articles]=titel`, ['no-such-field fields[articles]']],
      [() => `/resources/articles/${article}?include=auhtor`, ['no-such-field include']],
      [() => `/users/core.user/${user.link.id}?fields[core.user]=nmae`, ['no-such-field fields[core.user]']],
      [() => `/users/core.user-group/${group}?include=usres`, ['no-such-field include']],
      [
        () => `/users/core.user-group/${group}?fields[core.user-group]=nmae`,
        ['no-such-field fields[core.user-group]'],
      ],
      [() => `/aggregates/agt.years/${total}?fields[agt.years]=totl`, ['no-such-field fields[agt.years]']],
      [() => `/aggregates/agt.years/${total}?include=auhtor`, ['no-such-field include']],
      // What is meant so.
      [() => `/resources/articles/${article}?fields[articles]=title,author&include=author`, []],
      [() => `/resources/articles/${article}?fields[articles]=&include=`, []],
      [() => `/resources/articles/${article}?fields[articles]=$created`, []],
      [() => `/resources/authors/${author}?fields[authors]=born&include=friend`, []],
      [() => `/resources/authors/${author}?include=articles`, []],
      [() => `/aggregates/agt.years/${total}?fields[agt.years]=total&include=author`, []],
      [() => '/api-keys/core.api-key?fields[core.api-key]=secure-id', []],
    ]),
  )('%s', (_, path, warnings) => expectWarnings(path(), warnings));

  test('of which something is shown is refused with strict handling only', async () => {
    const path = `/resources/articles/${article}?fields[articles]=title,titel&include=author,auhtor`;
    expect(warningsOf(await client.get(path))).toEqual([]);
    await expectStrictly(path, ['no-such-field fields[articles]', 'no-such-field include']);
  });

  test('has another tag when its warnings are others', async () => {
    const { id } = await client.make('tagged-one', { a: 1 });
    const path = `/resources/tagged-one/${id}?fields[tagged-one]=b`;
    const before = await client.get(path);
    const again = await client.get(path, { 'if-none-match': before.etag });
    await client.make('tagged-one', { b: 1 });
    const after = await client.get(path, { 'if-none-match': before.etag });
    expect([warningsOf(before).length, again.status, after.status, warningsOf(after)]).toEqual([
      1,
      304,
      200,
      [],
    ]);
  });
});

describe('with strict handling, all that is followed and shown', () => {
  test.each(
    named([
      [
        () => `/resources/articles/${article}?include=author&fields[authors]=nmae`,
        ['no-such-field fields[authors]'],
      ],
      [() => `/resources/articles?include=author&fields[authors]=nmae`, ['no-such-field fields[authors]']],
      [() => `/resources/articles?include=author.fiend`, ['no-such-field include']],
      [() => `/resources/articles/${article}?fields[writers]=name`, ['no-documents fields[writers]']],
      [() => `/resources/authors/${author}/articles?include=auhtor`, ['no-such-field include']],
      [() => `/resources/shelves/${shelf}/authors?fields[authors]=nmae`, ['no-such-field fields[authors]']],
      [() => `/resources/shelves/${shelf}/authors?include=fiend`, ['no-such-field include']],
      [() => `/aggregates/agt.years?include=author.fiend`, ['no-such-field include']],
      [() => `/resources/articles?include=author.friend&fields[authors]=name,born`, []],
      [() => `/resources/articles?include=author.articles.author`, []],
      [() => `/resources/shelves/${shelf}/authors?fields[authors]=name&include=friend,articles`, []],
    ]),
  )('%s', async (_, path, warnings) => {
    expect(warningsOf(await client.get(path()))).toEqual([]);
    await expectStrictly(path(), warnings);
  });
});

describe('a list that finds nothing', () => {
  test.each(
    named([
      [() => `/resources/shelves/${shelf}/authors?filter[nmae]=Mary`, ['no-such-field filter[nmae]']],
      [
        () => `/resources/shelves/${shelf}/authors?filter[nmae]=Mary&sort=name`,
        ['no-such-field filter[nmae]'],
      ],
      [
        () => `/resources/shelves/${shelf}/authors?filter[nmae]=Mary&page[size]=5`,
        ['no-such-field filter[nmae]'],
      ],
      [() => `/resources/shelves/${shelf}/authors?filter[id]="${author}"`, ['other-kind filter[id]']],
      [() => `/resources/authors/${author}/articles?filter[titel]=T`, ['no-such-field filter[titel]']],
      [
        () => `/resources/authors/${author}/relationships/articles?filter[year]="1818"`,
        ['other-kind filter[year]'],
      ],
      [
        () => `/resources/authors/${author}/articles?filter[author.nmae]=T`,
        ['no-such-field filter[author.nmae]'],
      ],
      [() => '/aggregates/agt.years?filter[totl]=1', ['no-such-field filter[totl]']],
      [() => '/aggregates/agt.years?filter[total]="1"', ['other-kind filter[total]']],
      [() => '/aggregates/agt.years?filter[total]=9&sort=totl', ['no-such-field sort']],
      [
        () => '/aggregates/agt.years?filter[total]=9&fields[agt.years]=totl',
        ['no-such-field fields[agt.years]'],
      ],
      [() => `/aggregates/agt.years?filter[author.id]="${author}"`, ['other-kind filter[author.id]']],
      [() => `/aggregates/agt.years/${total}/author?filter[nmae]=x`, ['no-such-field filter[nmae]']],
      [() => '/users/core.user?filter[usrename]=warned', ['no-such-field filter[usrename]']],
      [() => `/users/core.user-group?filter[users.id]="${user.link.id}"`, ['other-kind filter[users.id]']],
      [() => '/users/core.user-group?filter[users.usrename]=x', ['no-such-field filter[users.usrename]']],
      // What is meant so.
      [() => `/resources/shelves/${shelf}/authors?filter[name]=Nobody`, []],
      // Others of the type have it.
      [() => `/resources/shelves/${shelf}/authors?filter[born]=1815`, []],
      [() => `/resources/authors/${author}/articles?filter[title]=U`, []],
      [() => '/aggregates/agt.years?filter[total]=9', []],
      [() => '/aggregates/agt.years?filter[id]={"$oid":"0123456789abcdef01234567"}', []],
      [() => '/users/core.user-group?filter[users.username]=nobody', []],
    ]),
  )('%s', (_, path, warnings) => expectWarnings(path(), warnings));

  test('of an aggregate without outputs', async () => {
    await client.post('/aggregates/core.aggregate', {
      data: {
        type: 'core.aggregate',
        attributes: { 'input-type': 'nothing', 'output-type': 'agt.nothing', pipeline: [{ limit: 5 }] },
      },
    });
    await expectWarnings('/aggregates/agt.nothing', ['no-documents']);
  });
});

describe('a change of many documents', () => {
  const change = (asked: Client, filter: string, headers?: Readonly<Record<string, string>>) =>
    asked.patch(
      `/resources/bulked?${filter}`,
      { data: { type: 'bulked', attributes: { b: 1 } }, meta: { limit: 10 } },
      headers,
    );

  test('that finds nothing says what may be the matter, and one that finds too much is refused with strict handling', async () => {
    const bulk = await client.withPermissions([{ path: '/resources/.*', methods: ['get', 'patch', 'bulk'] }]);
    await client.make('bulked', { a: 1 });
    const none = await change(bulk, 'filter[c]=1');
    expect([none.status, none.body.meta.count, warningsOf(none)]).toEqual([
      200,
      0,
      ['no-such-field filter[c]'],
    ]);
    expect(faultsOf(await change(bulk, 'filter[c]={"$ne":1}', STRICT))).toEqual([
      '400 no-such-field ?filter[c]',
    ]);
    expect((await client.get('/resources/bulked?filter[b]=1&filter[a]=1')).body.meta.count).toBe(0);
    const done = await change(bulk, 'filter[a]=1', STRICT);
    expect([done.status, done.body.meta]).toEqual([200, { count: 1 }]);
  });
});

describe('a filter through links to what the key may not GET', () => {
  let narrow: Client;
  beforeAll(async () => {
    narrow = await client.withPermissions([
      { path: '/resources/(articles|shelves)(/.*)?', methods: ['get', 'patch', 'bulk'] },
    ]);
  });

  test.each([
    ['/resources/articles?filter[author.name]=Mary', 'filter[author.name]'],
    ['/resources/articles?filter[*]={"$or":[{"author.name":"Mary"},{"year":1818}]}', 'filter[*]'],
  ])('%s', async (path, parameter) => {
    const reply = await narrow.get(path);
    expect([reply.status, warningsOf(reply)], reply.text).toEqual([200, [`left-out ${parameter}`]]);
    expect(reply.text).toContain('Linked documents of type authors are not looked at');
    expect(faultsOf(await narrow.get(path, STRICT))).toEqual([`403 left-out ?${parameter}`]);
    expect(warningsOf(await client.get(path))).toEqual([]);
  });

  test('also in a change of many, which is not done with strict handling', async () => {
    const send = (headers: Readonly<Record<string, string>>) =>
      narrow.patch(
        '/resources/articles?filter[author.name]={"$ne":"Mary"}',
        { data: { type: 'articles', attributes: { changed: true } }, meta: { limit: 10 } },
        headers,
      );
    expect(faultsOf(await send(STRICT))).toEqual(['403 left-out ?filter[author.name]']);
    expect((await client.get(`/resources/articles/${article}`)).body.data.attributes).not.toHaveProperty(
      'changed',
    );
    expect(warningsOf(await send({}))).toEqual(['left-out filter[author.name]']);
  });
});

describe('nothing is told of what is hidden', () => {
  test('what the key may not list: fields of other documents than the one that is read', async () => {
    const one = await client.withPermissions([{ path: `/resources/authors/${author}`, methods: ['get'] }]);
    const paths = ['fields[authors]=born', 'fields[authors]=nothing', 'include=friend', 'include=nothing'];
    for (const query of paths) {
      for (const headers of [{}, STRICT]) {
        const reply = await one.get(`/resources/authors/${author}?${query}`, headers);
        expect([reply.status, warningsOf(reply)], query).toEqual([200, []]);
      }
    }
  });

  test('which types exist, by fields of types that the key may not list', async () => {
    const narrow = await client.withPermissions([{ path: '/resources/articles(/.*)?', methods: ['get'] }]);
    for (const type of [
      'authors',
      'unheard-of',
      'core.user',
      'core.user.token',
      'agt.years',
      'core.application',
    ]) {
      const reply = await narrow.get(`/resources/articles?fields[${type}]=nothing`, STRICT);
      expect([reply.status, reply.body.meta], type).toEqual([200, { count: 1 }]);
    }
  });

  test('to whom documents that one may not read link', async () => {
    const ada = await makeUser(client, 'link-watcher');
    const web = await client.withPermissions([
      { path: '/resources/(world\\d|authors)(/.*)?', methods: EVERY_METHOD, acl: { active: true } },
    ]);
    const secret = await client.make('secrets', { name: 'S' });
    for (const world of ['world0', 'world1']) {
      const mine = await web.post(
        `/resources/${world}`,
        { data: { type: world, attributes: { a: 1 } } },
        ada.headers,
      );
      expect(mine.status).toBe(201);
    }
    await client.make('world1', {}, { who: { data: { type: 'secrets', id: secret.id } } });
    await client.make('world1', {}, { writer: { data: { type: 'authors', id: author } } });
    const ask = async (world: string, query: string, headers: Readonly<Record<string, string>>) => {
      const reply = await web.get(`/resources/${world}?${query}`, { ...ada.headers, ...headers });
      return reply.text.replaceAll(world, 'WORLD').replaceAll(/[0-9a-f]{24}/g, 'ID');
    };
    for (const query of [
      'filter[who.name]=S',
      'filter[writer.name]=Mary',
      'filter[who.nothing]={"$ne":1}',
      'include=who,writer.friend',
    ]) {
      for (const headers of [{}, STRICT]) {
        expect(await ask('world1', query, headers), query).toBe(await ask('world0', query, headers));
      }
    }
  });

  test('to what other documents link than those that are related', async () => {
    const narrow = await client.withPermissions([
      { path: '/resources/(shelves|crates)(/.*)?', methods: ['get'] },
      { path: '/resources/crates/[0-9a-f]{24}', methods: ['get'] },
      { path: '/resources/books/[0-9a-f]{24}', methods: ['get'] },
    ]);
    const secret = await client.make('secrets', {});
    await client.make('books', {}, { of: { data: { type: 'secrets', id: secret.id } } });
    const shown = await client.make('books', {});
    const crate = await client.make('crates', {}, { books: { data: [{ type: 'books', id: shown.id }] } });
    for (const query of ['filter[of.name]=x', 'filter[of.name]=x&sort=a']) {
      const reply = await narrow.get(`/resources/crates/${crate.id}/books?${query}`, STRICT);
      expect([reply.status, reply.body.data], reply.text).toEqual([200, []]);
    }
  });

  test('that documents which one may not read link to outputs', async () => {
    const ada = await makeUser(client, 'output-watcher');
    const web = await client.withPermissions([
      { path: '/resources/sellers', methods: ['get'], acl: { active: true } },
    ]);
    await client.post('/schemas/core.type', {
      data: { type: 'core.type', attributes: { name: 'sellers', 'aggregate-links': ['numbers'] } },
    });
    await client.make('sellers', {}, { numbers: { data: { type: 'agt.years', id: '1818' } } });
    const reply = await web.get('/resources/sellers?filter[numbers.total]=1', ada.headers);
    expect([reply.status, reply.body.data], reply.text).toEqual([200, []]);
    expect(faultsOf(await client.get('/resources/sellers?filter[numbers.total]=1'))).toEqual([
      '400 invalid-filter ?filter',
    ]);
  });

  test('to who is under a rule: of one document, of related ones, of outputs', async () => {
    const ruled = await client.withPermissions([
      { path: '/(resources|aggregates)/.*', methods: ['get'], where: { name: { $exists: true } } },
    ]);
    const masked = await client.withPermissions([
      { path: '/resources/.*', methods: ['get'], fields: { read: ['name', 'authors', 'articles'] } },
    ]);
    for (const [asked, path] of [
      [ruled, `/resources/authors/${author}?fields[authors]=nothing`],
      [ruled, `/resources/authors/${author}?include=nothing`],
      [masked, `/resources/authors/${author}?fields[authors]=born`],
      [masked, `/resources/shelves/${shelf}/authors?filter[born]=1815`],
      [masked, `/resources/authors/${author}/articles?filter[year]=1`],
    ] as const) {
      for (const headers of [{}, STRICT]) {
        const reply = await asked.get(path, headers);
        expect([reply.status, warningsOf(reply)], path).toEqual([200, []]);
      }
    }
  });
});
