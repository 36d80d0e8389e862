/**
 * What a read leaves out or finds in vain: told in `meta.warnings`, an error with `Prefer: handling=strict`. Neither
 * tells anything of what its sender may not read.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, EVERY_METHOD, makeUser, may, type Person } from '../support/people.ts';
import { STRICT, warningsOf } from '../support/warnings.ts';

const client = await Client.create();
const { id: home } = await client.make('places', { city: 'London' });
const { id: author } = await client.make(
  'authors',
  { name: 'Mary' },
  { home: { data: { type: 'places', id: home } } },
);
const { id: article } = await client.make(
  'articles',
  { title: 'T', year: 1818, when: { $date: '2026-01-01T00:00:00Z' }, tags: ['a'], parts: [{ n: 1 }] },
  { author: { data: { type: 'authors', id: author } } },
);

const list = (query: string, headers?: Readonly<Record<string, string>>) =>
  client.get(`/resources/articles?${query}`, headers);

describe('a list that finds nothing says what may be the matter', () => {
  const cases: [query: () => string, warnings: readonly string[], detail?: string][] = [
    [() => 'filter[titel]=x', ['no-such-field filter[titel]'], 'Did you mean title?'],
    [() => 'filter[*]={"$or":[{"a":1},{"year":{"$gt":3000}}]}', ['no-such-field filter[*]']],
    [() => 'filter[parts]={"$elemMatch":{"m":1}}', ['no-such-field filter[parts]']],
    [() => 'filter[when]="2026-01-01T00:00:00Z"', ['other-kind filter[when]'], 'holds dates'],
    [() => 'filter[when]={"$gt":"2000-01-01"}', ['other-kind filter[when]'], '{"$date"'],
    [() => `filter[id]="${article}"`, ['other-kind filter[id]'], '{"$oid"'],
    [
      () => `filter[id]={"$in":["${article}",{"$oid":"${article.replace(/./, '5')}"}]}`,
      ['other-kind filter[id]'],
    ],
    [() => `filter[author.id]={"$in":["${author}"]}`, ['other-kind filter[author.id]'], 'object ids'],
    [() => 'filter[$creator.id]="x"', ['other-kind filter[$creator.id]'], '{"$oid'],
    [() => 'filter[$created]={"$gt":"2000-01-01"}', ['other-kind filter[$created]'], '{"$date"'],
    [() => 'filter[author.nmae]=Mary', ['no-such-field filter[author.nmae]'], 'Did you mean name?'],
    [
      () => 'filter[author.name]=5',
      ['other-kind filter[author.name]'],
      'The field author.name holds strings',
    ],
    [() => `filter[author.home.id]="${author}"`, ['other-kind filter[author.home.id]'], '{"$oid'],
    [() => `filter[author.id]="${author}"`, ['other-kind filter[author.id]'], 'object ids'],
    [() => 'filter[year]="1818"', ['other-kind filter[year]'], 'without quotes'],
    [() => 'filter[title]=5', ['other-kind filter[title]'], 'a string'],
    [() => 'filter[tags]=5', ['other-kind filter[tags]']],
    [() => 'filter[year]={"$regex":"1"}', ['other-kind filter[year]']],
    [() => 'filter[year]=1&sort=-yaer', ['no-such-field sort'], 'Did you mean year?'],
    [() => 'filter[year]=1&fields[articles]=titel', ['no-such-field fields[articles]']],
    [() => 'filter[year]=1&include=auhtor', ['no-such-field include'], 'Did you mean author?'],
    [() => 'filter[titel]=x&page[count]=false&page[size]=5&page[after]=', ['no-such-field filter[titel]']],
    // What is meant so.
    [() => 'filter[year]=1', []],
    [() => 'filter[year]=1&include=author&sort=title&fields[articles]=title,author', []],
    [() => 'filter[title]={"$exists":false}', []],
    [() => 'filter[*]={"$nor":[{"title":"T"}]}', []],
    [() => 'filter[when]={"$gt":{"$date":"2030-01-01"}}', []],
    [() => 'filter[parts.n]=5', []],
    [() => 'filter[tags]={"$in":["z",5]}', []],
    [() => 'filter[author.name]=Nobody', []],
    [() => 'filter[$created]={"$gt":{"$date":"2999-01-01"}}', []],
    [() => 'filter[type]=others', []],
    [() => 'filter[*]={"$text":{"$search":"nowhere"}}', []],
  ];
  test.each(cases.map(([query, ...rest]) => [String(query), query, ...rest] as const))(
    '%s',
    async (_, query, warnings, detail) => {
      const reply = await list(query());
      expect([reply.status, reply.body.data, warningsOf(reply)], reply.text).toEqual([200, [], warnings]);
      if (detail !== undefined) expect(reply.text).toContain(detail.replaceAll('"', '\\"'));
      const strict = await list(query(), STRICT);
      expect(strict.headers.get('preference-applied')).toBe('handling=strict');
      expect(strict.headers.get('vary')).toMatch(/\bPrefer\b/);
      if (warnings.length === 0) expect(strict.status).toBe(200);
      else {
        expect(strict.status).toBe(400);
        expect(faultsOf(strict)).toEqual(warnings.map((each) => `400 ${each.replace(' ', ' ?')}`));
      }
    },
  );

  test('a type without documents', async () => {
    const reply = await client.get('/resources/artikles?filter[a]=1');
    expect([reply.status, warningsOf(reply)]).toEqual([200, ['no-documents']]);
    expect(faultsOf(await client.get('/resources/artikles', STRICT))).toEqual(['400 no-documents']);
    const made = await client.make('emptied');
    await client.delete(`/resources/emptied/${made.id}`);
    expect(warningsOf(await client.get('/resources/emptied'))).toEqual(['no-documents']);
  });

  test('a warning is like an error, and leads to its section', async () => {
    const { body } = await list('filter[titel]=x');
    expect(body.meta['warnings']).toEqual([
      {
        code: 'no-such-field',
        title: 'No document has the field',
        detail: 'None of the documents of type articles to be shown has the field titel. Did you mean title?',
        source: { parameter: 'filter[titel]' },
        links: { about: `${client.url}/docs/errors#no-such-field` },
      },
    ]);
  });

  test('a page behind the end is none that finds nothing', async () => {
    expect(warningsOf(await list('page[offset]=50'))).toEqual([]);
  });
});

describe('a list that finds something', () => {
  const QUERY = 'sort=yaer&fields[articles]=titel&include=auhtor';
  test('says nothing but of its order', async () => {
    expect(warningsOf(await list(QUERY))).toEqual(['no-such-field sort']);
    expect(warningsOf(await list('fields[articles]=titel&include=auhtor'))).toEqual([]);
  });

  test.each([
    ['sort=yaer', ['no-such-field sort']],
    ['sort=-yaer,title&page[limit]=1', ['no-such-field sort']],
    ['sort=title,-yaer,nmae', ['no-such-field sort', 'no-such-field sort']],
    ['sort=year', []],
    ['sort=-author.id,id,-$created,$updated', []],
    ['sort=type', []],
    ['sort=-$score&filter[*]={"$text":{"$search":"T"}}', []],
  ])('%s', async (query, warnings) => {
    const reply = await list(query);
    expect([reply.status, warningsOf(reply)], reply.text).toEqual([200, warnings]);
    expect(reply.body.data).not.toEqual([]);
    expect((await list(query, STRICT)).status).toBe(warnings.length === 0 ? 200 : 400);
  });

  test('with strict handling refuses names that no document has', async () => {
    expect([...faultsOf(await list(QUERY, STRICT))].sort()).toEqual([
      '400 no-such-field ?fields[articles]',
      '400 no-such-field ?include',
      '400 no-such-field ?sort',
    ]);
    expect((await list('sort=year&fields[articles]=title&include=author', STRICT)).status).toBe(200);
  });

  test('with strict handling refuses what excludes nothing, because it compares in vain', async () => {
    expect(faultsOf(await list('filter[when]={"$ne":"2026-01-01"}', STRICT))).toEqual([
      '400 other-kind ?filter[when]',
    ]);
    expect(faultsOf(await list(`filter[id]={"$nin":["${article}"]}`, STRICT))).toEqual([
      '400 other-kind ?filter[id]',
    ]);
    const other = article.replace(/./, '5');
    expect((await list(`filter[id]={"$ne":{"$oid":"${other}"}}`, STRICT)).status).toBe(200);
  });

  test('declared inverses are names that there are', async () => {
    const inverses = { articles: { type: 'articles', through: 'author' } };
    const made = await client.create('/schemas/core.type', { attributes: { name: 'authors', inverses } });
    expect(made.status).toBe(201);
    const read = await client.get('/resources/authors?include=articles', STRICT);
    expect([read.status, read.body.included.length]).toEqual([200, 1]);
  });
});

describe('tags', () => {
  test('of an empty list are another when its warnings are', async () => {
    await client.make('tagged', { a: 1 });
    const before = await client.get('/resources/tagged?filter[b]=1');
    const again = await client.get('/resources/tagged?filter[b]=1', { 'if-none-match': before.etag });
    await client.make('tagged', { b: 2 });
    const after = await client.get('/resources/tagged?filter[b]=1', { 'if-none-match': before.etag });
    expect([warningsOf(before), again.status, after.status, warningsOf(after)]).toEqual([
      ['no-such-field filter[b]'],
      304,
      200,
      [],
    ]);
  });

  test('of a lenient answer do not keep a strict one from being refused', async () => {
    const lenient = await list('filter[titel]=x');
    const strict = await list('filter[titel]=x', { ...STRICT, 'if-none-match': lenient.etag });
    expect(strict.status).toBe(400);
  });
});

describe('documents that the key may not GET are left out, and that is told', () => {
  let reader: Client;
  let shelf: string;
  beforeAll(async () => {
    const authors = { data: [{ type: 'authors', id: author }] };
    ({ id: shelf } = await client.make('shelves', {}, { authors }));
    reader = await client.withPermissions([
      may('get', '/resources/articles(/.*)?'),
      may('get', '/resources/shelves/.*'),
    ]);
  });

  test.each([
    ['included in a read', () => `/resources/articles/${article}?include=author`, 'left-out include'],
    ['included in a list', () => '/resources/articles?include=author', 'left-out include'],
    ['related', () => `/resources/articles/${article}/author`, 'left-out'],
    ['related, by pages', () => `/resources/shelves/${shelf}/authors?page[size]=5`, 'left-out'],
  ])('%s', async (_, path, warning) => {
    const reply = await reader.get(path());
    expect([reply.status, warningsOf(reply)], reply.text).toEqual([200, [warning]]);
    const strict = await reader.get(path(), STRICT);
    expect(faultsOf(strict)).toEqual([`403 ${warning.replace(' ', ' ?')}`]);
    expect(warningsOf(await client.get(path()))).toEqual([]);
  });

  test('also those of an inverse', async () => {
    const inverses = { reviews: { type: 'reviews', through: 'book' } };
    await client.create('/schemas/core.type', { attributes: { name: 'books', inverses } });
    const { id } = await client.make('books');
    const narrow = await client.withPermissions([may('get', '/resources/books(/.*)?')]);
    const include = `/resources/books/${id}?include=reviews`;
    expect(warningsOf(await narrow.get(include))).toEqual(['left-out include']);
    expect(warningsOf(await narrow.get(`/resources/books/${id}/reviews`))).toEqual(['left-out']);
    expect(faultsOf(await narrow.get(include, STRICT))).toEqual(['403 left-out ?include']);
    expect(warningsOf(await client.get(include))).toEqual([]);
  });

  test('what a user may not read is left out in silence', async () => {
    const ada = await makeUser(client, 'left-out-ada');
    const acl = await client.withPermissions([
      may('get', '/resources/articles(/.*)?'),
      may('get', '/resources/authors(/.*)?', ACL),
    ]);
    const reply = await acl.get(`/resources/articles/${article}?include=author`, ada.headers);
    expect([reply.status, reply.body.included, warningsOf(reply)]).toEqual([200, [], []]);
    expect(
      (await acl.get(`/resources/articles/${article}?include=author`, { ...ada.headers, ...STRICT })).status,
    ).toBe(200);
  });
});

describe('warnings and strict handling tell nothing of what is hidden', () => {
  let ada: Person;
  let web: Client;
  let ruled: Client;
  let masked: Client;
  beforeAll(async () => {
    ada = await makeUser(client, 'watcher');
    web = await client.withPermissions([may(EVERY_METHOD, '/(resources|users)/.*', ACL)]);
    ruled = await client.withPermissions([may('get', '/resources/.*', { where: { open: true } })]);
    masked = await client.withPermissions([
      may('get', '/resources/.*', { fields: { read: ['title', 'open'] } }),
    ]);
    // World 0 is empty but for what is shown in both; world 1 has hidden documents and fields of all kinds.
    for (const world of ['world0', 'world1']) await client.make(world, { title: 'shown', open: true });
    for (let n = 0; n < 3; n += 1) {
      const link = { data: { type: 'authors', id: author } };
      await client.make(
        'world1',
        { title: n, secret: { $date: '2026-01-01T00:00:00Z' }, open: false, more: { deep: 1 } },
        { friend: link },
      );
    }
    await client.make('void1', { secret: 1, open: false });
  });

  const queries = [
    '',
    'filter[secret]=x',
    'filter[secret]={"$date":"2030-01-01"}',
    'filter[title]=5',
    'filter[more.deep]=7',
    'filter[friend.id]="x"',
    'filter[*]={"$or":[{"secret":"x"},{"none":1}]}',
    'filter[title]=nothing&sort=secret',
    'filter[title]=nothing&fields[TYPE]=secret,none',
    'filter[title]=nothing&include=friend,none',
    'filter[open]=false&filter[secret]=x',
  ];
  const askers: [string, () => Client, () => Readonly<Record<string, string>>][] = [
    ['rights', () => web, () => ada.headers],
    ['a rule', () => ruled, () => ({})],
  ];

  const told = async (
    asker: Client,
    headers: Readonly<Record<string, string>>,
    type: string,
    query: string,
  ) => {
    const answers = [
      await asker.get(`/resources/${type}?${query.replace('TYPE', type)}`, headers),
      await asker.get(`/resources/${type}?${query.replace('TYPE', type)}`, { ...headers, ...STRICT }),
    ];
    return answers.map(({ status, text, headers: sent }) => ({
      status,
      text: text.replaceAll(type, 'TYPE').replaceAll(/"[0-9a-f]{24}"|[0-9a-f]{24}/g, 'ID'),
      applied: sent.get('preference-applied'),
    }));
  };

  test.each(askers.flatMap((asker) => queries.map((query) => [asker[0], query, asker] as const)))(
    'to who is under %s: %s',
    async (_, query, [, asker, headers]) => {
      const shown = await told(asker(), headers(), 'world0', query);
      expect(await told(asker(), headers(), 'world1', query)).toEqual(shown);
      const unused = await told(asker(), headers(), 'void0', query);
      expect(await told(asker(), headers(), 'void1', query)).toEqual(unused);
    },
  );

  test.each(queries.filter((query) => !query.includes('title') && !query.includes('open') && query !== ''))(
    'to who sees some fields: %s',
    async (query) => {
      const shown = await told(masked, {}, 'world0', query);
      const other = await told(masked, {}, 'world1', query);
      expect(other.map(({ status }) => status)).toEqual(shown.map(({ status }) => status));
      for (const { text } of [...shown, ...other]) expect(text).not.toContain('warnings');
    },
  );

  test('of the password of users, to who is under ACL', async () => {
    const ask = async (field: string) => {
      const reply = await web.get(`/users/core.user?filter[${field}]=x`, ada.headers);
      return reply.text.replaceAll(field, 'FIELD').replace(/ Did you mean [^?]*\?/, '');
    };
    expect(await ask('password')).toBe(await ask('passport'));
    const trusted = await client.get('/users/core.user?filter[password]=x');
    expect(warningsOf(trusted)).toEqual([]);
  });
});
