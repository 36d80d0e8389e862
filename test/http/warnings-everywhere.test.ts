/**
 * Warnings and strict handling beyond lists of stored documents: one document, related documents, inverses, outputs of
 * aggregates, changes of many, users and groups. The same mechanism, and nothing of what its sender may not read.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../support/aggregates.ts';
import { type Client } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { faultsOf } from '../support/faults.ts';
import { makeWarnedLibrary } from '../support/warned-library.ts';
import { STRICT, warningsOf } from '../support/warnings.ts';
import { ACL, may } from '../support/people.ts';

const { client, author, article, shelf, user, group, total } = await makeWarnedLibrary();

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
      [
        () => `/users/core.user-group/${group}?fields[core.user-group]=nmae`,
        ['no-such-field fields[core.user-group]'],
      ],
      [() => `/aggregates/agt.years/${total}?fields[agt.years]=totl`, ['no-such-field fields[agt.years]']],
      // What is meant so.
      [() => `/resources/articles/${article}?fields[articles]=title,author&include=author`, []],
      [() => `/resources/articles/${article}?fields[articles]=&include=`, []],
      [() => `/resources/authors/${author}?fields[authors]=born&include=friend`, []],
      [() => `/aggregates/agt.years/${total}?fields[agt.years]=total&include=author`, []],
      [() => '/api-keys/core.api-key?fields[core.api-key]=secure-id', []],
    ]),
  )('%s', (_, path, warnings) => expectWarnings(path(), warnings));

  test('of which something is shown is refused with strict handling only', async () => {
    const path = `/resources/articles/${article}?fields[articles]=title,titel&include=author,auhtor`;
    expect(warningsOf(await client.get(path))).toEqual([]);
    await expectStrictly(path, ['no-such-field fields[articles]', 'no-such-field include']);
  });

  test('says nothing of a type whose list shows its user no document', async () => {
    const listed = may('get', '/resources/articles', ACL);
    const key = await client.withPermissions([listed, may('get', `/resources/articles/${article}`)]);
    const path = `/resources/articles/${article}?fields[articles]=titel`;
    expect(warningsOf(await key.get(path, user.headers))).toEqual([]);
    expect((await key.get(path, { ...user.headers, ...STRICT })).status).toBe(200);
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
      [() => `/resources/articles?include=author.fiend`, ['no-such-field include']],
      [() => `/resources/articles/${article}?fields[writers]=name`, ['no-documents fields[writers]']],
      [() => `/resources/authors/${author}/articles?include=auhtor`, ['no-such-field include']],
      [() => `/resources/shelves/${shelf}/authors?fields[authors]=nmae`, ['no-such-field fields[authors]']],
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

test('a list of outputs that finds something says which order none of them has', async () => {
  expect(warningsOf(await client.get('/aggregates/agt.years?sort=totl'))).toEqual(['no-such-field sort']);
  expect(warningsOf(await client.get('/aggregates/agt.years?sort=-total'))).toEqual([]);
});

describe('a list that finds nothing', () => {
  test.each(
    named([
      [() => `/resources/shelves/${shelf}/authors?filter[nmae]=Mary`, ['no-such-field filter[nmae]']],
      [() => `/resources/shelves/${shelf}/authors?filter[id]="${author}"`, ['other-kind filter[id]']],
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
      [() => `/aggregates/agt.years?filter[author.id]="${author}"`, ['other-kind filter[author.id]']],
      [() => '/users/core.user?filter[usrename]=warned', ['no-such-field filter[usrename]']],
      [() => `/users/core.user-group?filter[users.id]="${user.link.id}"`, ['other-kind filter[users.id]']],
      [() => '/users/core.user-group?filter[users.usrename]=x', ['no-such-field filter[users.usrename]']],
      // What is meant so.
      [() => `/resources/shelves/${shelf}/authors?filter[name]=Nobody`, []],
      // Others of the type have it.
      [() => `/resources/shelves/${shelf}/authors?filter[born]=1815`, []],
      [() => `/resources/authors/${author}/articles?filter[title]=U`, []],
      [() => '/aggregates/agt.years?filter[total]=9', []],
      [() => '/users/core.user-group?filter[users.username]=nobody', []],
    ]),
  )('%s', (_, path, warnings) => expectWarnings(path(), warnings));

  test('of an aggregate without outputs', async () => {
    await defined(client, 'nothing', 'nothing', [{ limit: 5 }]);
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

  test('that finds nothing says what may be the matter; strict handling refuses one that finds too much', async () => {
    const bulk = await client.withPermissions([may('get patch bulk', '/resources/.*')]);
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

  test('of a type without documents says so, as its list does', async () => {
    const bulk = await client.withPermissions([may('get delete bulk', '/resources/.*')]);
    const remove = (headers?: Readonly<Record<string, string>>) =>
      bulk.delete('/resources/blked?filter[*]={}', { meta: { limit: 10 } }, headers);
    const none = await remove();
    expect([none.status, none.body.meta.count, warningsOf(none)]).toEqual([200, 0, ['no-documents']]);
    expect(faultsOf(await remove(STRICT))).toEqual(['400 no-documents']);
  });
});

describe('a filter through links to what the key may not GET', () => {
  let narrow: Client;
  beforeAll(async () => {
    narrow = await client.withPermissions([may('get patch bulk', '/resources/(articles|shelves)(/.*)?')]);
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

describe('of a large collection nothing is said', () => {
  test('of which more than a thousand documents may be read', async () => {
    const load = (count: number) => crowd(client, 'many', count, () => ({ n: 1 }));
    await load(1_000);
    expect(warningsOf(await client.get('/resources/many?filter[m]=1'))).toEqual(['no-such-field filter[m]']);
    await load(1);
    expect(warningsOf(await client.get('/resources/many?filter[m]=1'))).toEqual([]);
    expect((await client.get('/resources/many?filter[m]=1', STRICT)).status).toBe(200);
    // What each document has needs no look.
    expect(warningsOf(await client.get('/resources/many?filter[id]=1&filter[m]=1'))).toEqual([
      'other-kind filter[id]',
    ]);
  });
});
