/** Relationships: links on create and PATCH, and their endpoints (spec, Relationship endpoints; decisions, 2). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Client, link, NO_ID, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const MISSING = { type: 'people', id: NO_ID };

const client = await Client.create();
/** Three documents to link to. */
const [a, b, c] = [
  link(await client.make('people', { name: 'A' })),
  link(await client.make('people', { name: 'B' })),
  link(await client.make('companies', { name: 'C' })),
];

const links = (...which: readonly ('a' | 'b' | 'c')[]) => which.map((each) => ({ a, b, c })[each]);
const linked = ({ body }: Reply) => body.data as unknown;

describe('in a document', () => {
  test('each relationship has data and links', async () => {
    const made = await client.make('articles', undefined, {
      author: { data: a },
      editors: { data: [a, c] },
      none: { data: null },
      empty: { data: [] },
    });
    const at = (name: string) => ({
      self: `${made.links.self}/relationships/${name}`,
      related: `${made.links.self}/${name}`,
    });
    expect(made.relationships).toEqual({
      author: { data: a, links: at('author') },
      editors: { data: [a, c], links: at('editors') },
      none: { data: null, links: at('none') },
      empty: { data: [], links: at('empty') },
    });
    const read = await client.get(`/resources/articles/${made.id}`);
    expect(read.body.data.relationships).toEqual(made.relationships);
  });

  test('the same link twice is stored once', async () => {
    const made = await client.make('articles', undefined, { editors: { data: [b, a, b, a] } });
    expect(made.relationships?.['editors']?.data).toEqual([b, a]);
  });

  test('a link may point to the document itself and to a document of the service', async () => {
    const made = await client.make('articles');
    const keys = await client.get('/api-keys/core.api-key');
    const [key] = keys.body.data;
    const self = { type: 'articles', id: made.id };
    const patched = await client.patch(`/resources/articles/${made.id}`, {
      data: {
        ...self,
        relationships: { self: { data: self }, key: { data: { type: 'core.api-key', id: key?.id } } },
      },
    });
    expect(patched.status).toBe(200);
  });
});

describe('a link to a document that does not exist is 404 with a pointer to it', () => {
  const missing = [
    ['an id that never was', MISSING],
    ['a type nobody uses', { type: 'nobody', id: NO_ID }],
  ] as const;
  const malformed = [
    ['no object', 'x'],
    ['a number in an array', [1]],
    ['no id', { type: 'people' }],
    ['no type', { id: NO_ID }],
    ['an id that is no string', { type: 'people', id: 1 }],
    ['a malformed id', { type: 'people', id: 'x' }],
    ['a malformed type', { type: 'no type', id: NO_ID }],
    ['an aggregate', { type: 'agt.sums', id: NO_ID }],
    ['an ACL', { type: 'people.acl', id: NO_ID }],
    ['a reserved type', { type: 'core.nothing', id: NO_ID }],
    ['the registry of types', { type: 'core.type-registry', id: NO_ID }],
  ] as const;

  test.each(missing)('on create: %s', async (_, link) => {
    const data = { type: 'articles', relationships: { author: { data: link } } };
    expect(faultsOf(await client.post('/resources/articles', { data }))).toEqual([
      '404 link-not-found /data/relationships/author/data',
    ]);
  });

  test.each(malformed)(
    'and what is no link, or can not be, is 422 wherever it stands: %s',
    async (_, link) => {
      const owner = await client.make('articles', undefined, { author: { data: a } });
      const path = `/resources/articles/${owner.id}`;
      const data = { type: 'articles', relationships: { author: { data: link } } };
      const links = [link].flat();
      const answers = [
        await client.post('/resources/articles', { data }),
        await client.patch(path, { data: { ...data, id: owner.id } }),
        await client.patch(`${path}/relationships/author`, { data: link }),
        await client.post(`${path}/relationships/author`, { data: links }),
        await client.delete(`${path}/relationships/author`, { data: links }),
      ];
      const at = Array.isArray(link) ? '/0' : '';
      expect(answers.map(faultsOf)).toEqual([
        [`422 invalid-relationship /data/relationships/author/data${at}`],
        [`422 invalid-relationship /data/relationships/author/data${at}`],
        [`422 invalid-relationship /data${at}`],
        ['422 invalid-relationship /data/0'],
        ['422 invalid-relationship /data/0'],
      ]);
      expect((await client.get(path)).etag).toBe(owner.etag);
    },
  );

  test('on create, on PATCH and on the endpoints: a document that was deleted', async () => {
    const { type, id } = await client.make('people');
    await client.delete(`/resources/people/${id}`);
    const owner = await client.make('articles', undefined, { author: { data: a } });
    const path = `/resources/articles/${owner.id}`;
    const relationships = { author: { data: { type, id } } };
    const answers = [
      await client.create('/resources/articles', { relationships }),
      await client.patch(path, { data: { type: 'articles', id: owner.id, relationships } }),
      await client.patch(`${path}/relationships/author`, { data: { type, id } }),
      await client.post(`${path}/relationships/author`, { data: [a, { type, id }] }),
    ];
    expect(answers.map(faultsOf)).toEqual([
      ['404 link-not-found /data/relationships/author/data'],
      ['404 link-not-found /data/relationships/author/data'],
      ['404 link-not-found /data'],
      ['404 link-not-found /data/1'],
    ]);
    const after = await client.get(`${path}/relationships/author`);
    expect(linked(after)).toEqual(a);
  });

  test('several at once, across collections, each with its place', async () => {
    const data = {
      type: 'articles',
      relationships: {
        author: { data: a },
        editors: { data: [a, MISSING, c, { type: 'companies', id: a.id }] },
        'a~b': { data: { type: 'places', id: NO_ID } },
      },
    };
    expect(faultsOf(await client.post('/resources/articles', { data }))).toEqual([
      '404 link-not-found /data/relationships/editors/data/1',
      '404 link-not-found /data/relationships/editors/data/3',
      '404 link-not-found /data/relationships/a~0b/data',
    ]);
  });
});

describe('the endpoints of a relationship', () => {
  let owner: string;
  let path: string;
  beforeEach(async () => {
    const made = await client.make('articles', { title: 'T' }, { one: { data: a }, many: { data: [a, c] } });
    owner = `/resources/articles/${made.id}`;
    path = `${owner}/relationships`;
  });

  const shown = (name: string, data: unknown) => ({
    data,
    links: { self: `${client.url}${path}/${name}`, related: `${client.url}${owner}/${name}` },
  });

  test('GET answers a link or links', async () => {
    const [one, many] = [await client.get(`${path}/one`), await client.get(`${path}/many`)];
    expect([one.status, one.body]).toEqual([200, shown('one', a)]);
    expect([many.status, many.body]).toEqual([200, shown('many', [a, c])]);
    expect(one.etag).toMatch(/^"[^"]+"$/);
  });

  test.each([
    ['a link', 'one', () => b],
    ['links', 'one', () => [c, b]],
    ['a link in place of links', 'many', () => b],
    ['null', 'one', () => null],
    ['no links', 'many', () => []],
    ['what the document lacks', 'new', () => b],
  ])('PATCH replaces the relationship: %s', async (_, name, data) => {
    const patched = await client.patch(`${path}/${name}`, { data: data() });
    expect([patched.status, patched.body]).toEqual([200, shown(name, data())]);
    expect(patched.etag).toMatch(/^"[^"]+"$/);
    expect((await client.get(`${path}/${name}`)).body).toEqual(shown(name, data()));
  });

  test.each([
    ['appends', 'many', ['b'], ['a', 'c', 'b']],
    ['appends several', 'many', ['b', 'c'], ['a', 'c', 'b']],
    ['stores the same link once', 'many', ['a', 'b', 'b'], ['a', 'c', 'b']],
    ['converts to-one into to-many', 'one', ['b'], ['a', 'b']],
    ['converts even where it adds nothing', 'one', [], ['a']],
    ['creates what the document lacks', 'new', ['c'], ['c']],
  ] as const)('POST %s', async (_, name, added, after) => {
    const posted = await client.post(`${path}/${name}`, { data: links(...added) });
    expect([posted.status, posted.body]).toEqual([200, shown(name, links(...after))]);
    expect(linked(await client.get(`${path}/${name}`))).toEqual(links(...after));
  });

  test.each([
    ['removes', 'many', ['a'], ['c']],
    ['removes several', 'many', ['a', 'c'], []],
    ['passes over links that are not there', 'many', ['b'], ['a', 'c']],
    ['converts to-one into to-many', 'one', ['a'], []],
    ['converts to-one into to-many', 'one', ['b'], ['a']],
  ] as const)('DELETE %s', async (_, name, removed, after) => {
    const answer = await client.delete(`${path}/${name}`, { data: links(...removed) });
    expect([answer.status, answer.body]).toEqual([200, shown(name, links(...after))]);
    expect(linked(await client.get(`${path}/${name}`))).toEqual(links(...after));
  });

  test('POST and DELETE convert an empty to-one relationship too', async () => {
    await client.patch(`${path}/one`, { data: null });
    const posted = await client.post(`${path}/one`, { data: [b] });
    expect(linked(posted)).toEqual([b]);
  });

  test('DELETE needs no target that exists', async () => {
    const target = await client.make('people');
    const link = { type: 'people', id: target.id };
    await client.post(`${path}/many`, { data: [link] });
    await client.delete(`/resources/people/${target.id}`);
    expect(linked(await client.get(`${path}/many`))).toEqual([a, c, link]);
    expect(linked(await client.delete(`${path}/many`, { data: [link, MISSING] }))).toEqual([a, c]);
  });

  test('a change leaves everything else of the document alone', async () => {
    await client.post(`${path}/one`, { data: [b] });
    const { data } = (await client.get(owner)).body;
    expect(data.attributes).toEqual({ title: 'T' });
    expect(data.relationships?.['many']?.data).toEqual([a, c]);
  });

  test.each([
    ['get', undefined, ['404 relationship-not-found']],
    ['delete', () => ({ data: [a] }), ['404 relationship-not-found']],
  ] as const)('%s of a name the document lacks is 404', async (method, body, faults) => {
    expect(faultsOf(await client[method](`${path}/nothing`, body?.() as never))).toEqual(faults);
  });

  test.each(['patch', 'post'] as const)('%s of a name that no field may have', async (method) => {
    const reply = await client[method](`${path}/a%2Cb`, { data: method === 'patch' ? a : [a] });
    expect(faultsOf(reply)).toEqual(['422 invalid-field-name']);
  });

  test.each([
    ['get', undefined, '404 relationship-not-found'],
    ['delete', [], '404 relationship-not-found'],
    ['patch', null, '409 field-conflict'],
    ['post', [], '409 field-conflict'],
  ] as const)('%s of an attribute', async (method, data, fault) => {
    const body = data === undefined ? [] : [{ data }];
    expect(faultsOf(await client[method](`${path}/title`, ...(body as [])))).toEqual([fault]);
  });

  test.each([
    ['patch', '409 field-conflict', MISSING, '404 link-not-found /data'],
    ['post', '409 field-conflict', [MISSING], '404 link-not-found /data/0'],
    ['delete', '404 relationship-not-found', [MISSING], '404 relationship-not-found'],
  ] as const)('%s: 404 comes before 409, and 409 before 422', async (method, first, missing, last) => {
    const malformed = method === 'patch' ? 1 : [1];
    expect(faultsOf(await client[method](`${path}/title`, { data: malformed }))).toEqual([first]);
    expect(faultsOf(await client[method](`${path}/title`, { data: missing }))).toEqual([last]);
  });

  test.each([
    ['post', { data: MISSING }, '/data'],
    ['delete', { data: MISSING }, '/data'],
    ['post', { data: null }, '/data'],
    ['delete', {}, '/data'],
    ['patch', {}, '/data'],
  ] as const)('%s of %j is 400', async (method, body, pointer) => {
    expect(faultsOf(await client[method](`${path}/many`, body))).toEqual([`400 invalid-body ${pointer}`]);
  });

  test.each(['id', 'type', 'a.b', '$a'])('there is no field %s', async (name) => {
    const answers = [
      await client.patch(`${path}/${name}`, { data: a }),
      await client.post(`${path}/${name}`, { data: [a] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await client.get(owner)).body.data.relationships).not.toHaveProperty([name]);
  });

  test.each([NO_ID, 'deleted'])('of a document that is not there is 404 (%s)', async (which) => {
    let id = which;
    if (which === 'deleted') {
      id = (await client.make('articles', undefined, { one: { data: a } })).id;
      await client.delete(`/resources/articles/${id}`);
    }
    const there = `/resources/articles/${id}/relationships/one`;
    const answers = [
      await client.get(there),
      await client.patch(there, { data: a }),
      await client.post(there, { data: [a] }),
      await client.delete(there, { data: [a] }),
      await client.get(`/resources/articles/${id}/one`),
    ];
    expect(answers.map(faultsOf)).toEqual(answers.map(() => ['404 document-not-found']));
  });

  test('parallel appends are all kept', async () => {
    const targets = await Promise.all(Array.from({ length: 10 }, () => client.make('people')));
    await Promise.all(targets.map(({ type, id }) => client.post(`${path}/crowd`, { data: [{ type, id }] })));
    const { data } = (await client.get(`${path}/crowd`)).body;
    expect(data.map(({ id }) => id).sort()).toEqual(targets.map(({ id }) => id).sort());
  });
});
