/** Warnings and strict handling tell nothing of what their sender may not read. */
import { describe, expect, test } from 'vitest';
import { faultsOf } from '../support/faults.ts';
import { ACL, EVERY_METHOD, makeUser, may } from '../support/people.ts';
import { makeWarnedLibrary } from '../support/warned-library.ts';
import { STRICT, warningsOf } from '../support/warnings.ts';

const { client, author, shelf } = await makeWarnedLibrary();

describe('nothing is told of what is hidden', () => {
  test('what the key may not list: fields of other documents than the one that is read', async () => {
    const one = await client.withPermissions([may('get', `/resources/authors/${author}`)]);
    const paths = ['fields[authors]=born', 'fields[authors]=nothing', 'include=friend', 'include=nothing'];
    for (const query of paths) {
      for (const headers of [{}, STRICT]) {
        const reply = await one.get(`/resources/authors/${author}?${query}`, headers);
        expect([reply.status, warningsOf(reply)], query).toEqual([200, []]);
      }
    }
  });

  test('which types exist, by fields of types that the key may not list', async () => {
    const narrow = await client.withPermissions([may('get', '/resources/articles(/.*)?')]);
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
    const web = await client.withPermissions([may(EVERY_METHOD, '/resources/(world\\d|authors)(/.*)?', ACL)]);
    const secret = await client.make('secrets', { name: 'S' });
    for (const world of ['world0', 'world1']) {
      const mine = await web.create(`/resources/${world}`, { attributes: { a: 1 } }, ada.headers);
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
      may('get', '/resources/(shelves|crates)(/.*)?'),
      may('get', '/resources/crates/[0-9a-f]{24}'),
      may('get', '/resources/books/[0-9a-f]{24}'),
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
    const web = await client.withPermissions([may('get', '/resources/sellers', ACL)]);
    await client.create('/schemas/core.type', {
      attributes: { name: 'sellers', 'aggregate-links': ['numbers'] },
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
      may('get', '/(resources|aggregates)/.*', { where: { name: { $exists: true } } }),
    ]);
    const masked = await client.withPermissions([
      may('get', '/resources/.*', { fields: { read: ['name', 'authors', 'articles'] } }),
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
