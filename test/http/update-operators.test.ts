/** `data.meta.update`: operators that change a document where it is, in PATCH and in lists of operations. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Link, type Reply, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { operate } from '../support/operations.ts';
import { ACL, makeUser, may, type Person } from '../support/people.ts';
import { makeSchema } from '../support/type-settings.ts';

const client = await Client.create();

const change = (
  { type, id }: Link,
  update: unknown,
  more: object = {},
  headers?: Readonly<Record<string, string>>,
): Promise<Reply> => client.update(`/resources/${type}/${id}`, { meta: { update }, ...more }, headers);

const read = async ({ type, id }: Link): Promise<Resource> =>
  (await client.get(`/resources/${type}/${id}`)).body.data;

describe('a PATCH with operators', () => {
  test('changes the document and answers with it', async () => {
    const post = await client.make('posts', { likes: 1, tags: ['a'], old: 1, kept: { $numberLong: '7' } });
    const changed = await change(post, {
      $inc: { likes: 2, 'stats.views': 1 },
      $push: { tags: 'b' },
      $unset: { old: '' },
    });
    expect(changed.status).toBe(200);
    const attributes = { likes: 3, tags: ['a', 'b'], kept: 7, stats: { views: 1 } };
    expect(changed.body.data.attributes).toEqual(attributes);
    expect(await read(post)).toEqual(changed.body.data);
    expect(changed.etag).not.toBe(post.etag);
  });

  test('goes together with attributes and relationships', async () => {
    const author = await client.make('people');
    const post = await client.make('posts', { likes: 1 });
    const link = { type: author.type, id: author.id };
    const more = { attributes: { title: 'New' }, relationships: { author: { data: link } } };
    const changed = await change(post, { $inc: { likes: 1 } }, more);
    expect(changed.body.data).toMatchObject({
      attributes: { likes: 2, title: 'New' },
      relationships: { author: { data: link } },
    });
  });

  test('takes the time from the service', async () => {
    const post = await client.make('posts', { at: { $date: 0 } });
    const before = Date.now();
    const changed = await change(post, { $currentDate: { at: true } });
    const at = Date.parse(String(changed.body.data.attributes?.['at']));
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  test('twenty at once add up to twenty', async () => {
    const post = await client.make('posts', { likes: 0 });
    const replies = await Promise.all(Array.from({ length: 20 }, () => change(post, { $inc: { likes: 1 } })));
    expect(replies.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    const seen = replies.map(({ body }) => Number(body.data.attributes?.['likes']));
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect((await read(post)).attributes).toEqual({ likes: 20 });
  });

  test('is done once with If-Match, and not again', async () => {
    const post = await client.make('posts', { likes: 0 });
    const header = { 'if-match': post.etag };
    expect((await change(post, { $inc: { likes: 1 } }, {}, header)).status).toBe(204);
    expect((await change(post, { $inc: { likes: 1 } }, {}, header)).status).toBe(412);
    expect((await read(post)).attributes).toEqual({ likes: 1 });
  });

  test('keeps searches true', async () => {
    const post = await client.make('counted', { likes: 41, tags: ['x'] });
    await change(post, { $inc: { likes: 1 }, $addToSet: { tags: 'y' } });
    const found = await client.get('/resources/counted?filter[likes]=42&filter[tags]=y');
    expect(found.body.data.map(({ id }) => id)).toEqual([post.id]);
  });
});

describe('nothing is changed, and every fault named, where', () => {
  const refusals: readonly (readonly [name: string, update: unknown, code: string, pointer: string])[] = [
    ['there is no such operator', { $set: { a: 1 } }, 'invalid-update', '/data/meta/update/$set'],
    [
      'a path names a relationship',
      { $unset: { author: '' } },
      'field-collision',
      '/data/meta/update/$unset/author',
    ],
    [
      'one is inside a relationship',
      { $unset: { 'author.id': '' } },
      'field-collision',
      '/data/meta/update/$unset/author.id',
    ],
    [
      'a rename would replace one',
      { $rename: { n: 'author' } },
      'field-collision',
      '/data/meta/update/$rename/n',
    ],
  ];

  test.each(refusals)('%s', async (_name, update, code, pointer) => {
    const author = await client.make('people');
    const link = { data: { type: author.type, id: author.id } };
    const post = await client.make('posts', { n: 1, s: 'x', o: { p: 1 } }, { author: link });
    const refused = await change(post, update);
    expect(refused.status).toBe(422);
    expect(faultsOf(refused)).toEqual([`422 ${code} ${pointer}`]);
    expect((await client.get(`/resources/posts/${post.id}`, { 'if-none-match': post.etag })).status).toBe(
      304,
    );
  });

  test('attributes have the field, too', async () => {
    const post = await client.make('posts', { n: 1 });
    const refused = await change(post, { $inc: { n: 1, 'o.p': 1 } }, { attributes: { n: 5, o: {} } });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.map(({ detail }) => detail)).toEqual([
      '$inc on n and the field n would change the same place.',
      '$inc on o.p and the field o would change the same place.',
    ]);
  });

  test('a relationship of the same request has it', async () => {
    const post = await client.make('posts', { n: 1 });
    const refused = await change(post, { $push: { r: 1 } }, { relationships: { r: { data: null } } });
    expect(faultsOf(refused)).toEqual(['422 invalid-update /data/meta/update/$push/r']);
  });

  test('the result does not satisfy a schema', async () => {
    await makeSchema(client, 'stock', {
      attributes: { properties: { left: { type: 'integer', minimum: 0 } } },
    });
    const item = await client.make('stock', { left: 1 });
    expect((await change(item, { $inc: { left: -1 } })).status).toBe(200);
    const refused = await change(item, { $inc: { left: -1 } });
    expect(faultsOf(refused)).toEqual(['422 schema-violation /data/attributes/left']);
    expect((await read(item)).attributes).toEqual({ left: 0 });
  });

  test('the result is larger than a document may be', async () => {
    const post = await client.make('posts', { a: 'x'.repeat(600_000) });
    const refused = await change(post, { $push: { b: 'x'.repeat(600_000) } });
    expect(refused.status).toBe(413);
    expect((await change(post, { $push: { b: 1 } })).status).toBe(200);
  });

  test.each([
    ['the update is no object', { update: [] }, '/data/meta/update'],
    ['the meta is no object', 5, '/data/meta'],
  ])('%s: 400', async (_name, meta, pointer) => {
    const { type, id } = await client.make('posts');
    const refused = await client.patch(`/resources/posts/${id}`, { data: { type, id, meta } });
    expect(faultsOf(refused)).toEqual([`400 invalid-body ${pointer}`]);
  });

  test('a document is created with operators', async () => {
    const refused = await client.create('/resources/posts', { meta: { update: { $inc: { a: 1 } } } });
    expect(faultsOf(refused)).toEqual(['422 invalid-update /data/meta/update']);
  });

  test('an ACL is changed with operators', async () => {
    const { id } = await client.make('posts');
    const body = { data: { type: 'posts.acl', id, meta: { update: { $push: { read: 1 } } } } };
    expect(faultsOf(await client.patch(`/resources/posts.acl/${id}`, body))).toEqual([
      '422 invalid-update /data/meta/update',
    ]);
  });
});

describe('operators in a list', () => {
  test('see what operations before have done, and their results are as those of a PATCH', async () => {
    const { results } = await operate(client, [
      { op: 'add', data: { type: 'posts', lid: 'p', attributes: { likes: 1 } } },
      { op: 'update', data: { type: 'posts', lid: 'p', meta: { update: { $inc: { likes: 1 } } } } },
      { op: 'update', data: { type: 'posts', lid: 'p', meta: { update: { $mul: { likes: 21 } } } } },
    ]);
    expect(results.map(({ data }) => data?.attributes)).toEqual([{ likes: 1 }, { likes: 2 }, { likes: 42 }]);
  });

  test('undo the list where they fail, and the operation is named', async () => {
    const post = await client.make('posts', { likes: 1, s: 'x' });
    const { type, id } = post;
    const update = (inc: object) => ({ op: 'update', data: { type, id, meta: { update: { $inc: inc } } } });
    const refused = await operate(client, [update({ likes: 1 }), update({ s: 1 })]);
    expect(refused.status).toBe(422);
    expect(faultsOf(refused)).toEqual(['422 update-failed /atomic:operations/1/data/meta/update/$inc/s']);
    const wrong = await operate(client, [update({ likes: 1 }), update({ likes: 'x' })]);
    expect(faultsOf(wrong)).toEqual(['422 invalid-update /atomic:operations/1/data/meta/update/$inc/likes']);
    expect((await read(post)).attributes).toEqual({ likes: 1, s: 'x' });
  });
});

describe('documents of the service', () => {
  let ada: Person;
  beforeAll(async () => {
    ada = await makeUser(client, 'ada');
  });

  const changeUser = (update: unknown) => {
    const { type, id } = ada.link;
    return client.update(`/users/${type}/${id}`, { meta: { update } });
  };

  test('a user has operators on attributes of its own, which end its tokens as any change does', async () => {
    const changed = await changeUser({ $inc: { visits: 1 }, $push: { roles: 'x' } });
    expect(changed.body.data.attributes).toMatchObject({ username: 'ada', visits: 1, roles: ['x'] });
    expect((await client.get('/users/core.user/me', ada.headers)).status).toBe(401);
  });

  test.each([
    [{ $unset: { username: '' } }, '$unset/username'],
    [{ $rename: { password: 'seen' } }, '$rename/password'],
    [{ $rename: { visits: 'username' } }, '$rename/visits'],
    [{ $push: { 'password.x': 1 } }, '$push/password.x'],
  ])('but not on its name and password: %j', async (update, path) => {
    expect(faultsOf(await changeUser(update))).toEqual([`422 invalid-update /data/meta/update/${path}`]);
  });

  test('groups have them, too', async () => {
    const made = await client.create('/users/core.user-group');
    const { type, id } = made.body.data;
    const body = { data: { type, id, meta: { update: { $inc: { size: 1 } } } } };
    expect((await client.patch(`/users/${type}/${id}`, body)).body.data.attributes).toEqual({ size: 1 });
  });

  test('keys, schemas and aggregates are checked as a whole', async () => {
    const made = [
      await client.create('/api-keys/core.api-key', { attributes: { name: 'k', permissions: [] } }),
      await client.create('/schemas/core.schema', { attributes: { target: 'things', content: {} } }),
      await client.create('/aggregates/core.aggregate', {
        attributes: { 'input-type': 'things', 'output-type': 'agt.things', pipeline: [] },
      }),
    ];
    for (const { status, body } of made) {
      expect(status).toBe(201);
      const { type, id, links } = body.data;
      const refused = await client.patch(links.self, {
        data: { type, id, meta: { update: { $unset: { name: '' } } } },
      });
      expect(faultsOf(refused)).toEqual(['422 invalid-update /data/meta/update/$unset/name']);
    }
  });
});

describe('who may update but not read', () => {
  test('has a change done without seeing it, and is told nothing of why one is refused', async () => {
    const eva = await makeUser(client, 'eva');
    const web = await client.withPermissions([may('get patch', '/resources/.*', ACL)]);
    const box = async (attributes: object): Promise<Link> => {
      const { type, id } = await client.make('boxes', attributes);
      await client.update(`/resources/boxes.acl/${id}`, { attributes: { update: [eva.link] } });
      return { type, id };
    };
    const asEva = ({ type, id }: Link, update: unknown) =>
      web.update(`/resources/${type}/${id}`, { meta: { update } }, eva.headers);
    const [number, text, many] = [await box({ a: 1 }), await box({ a: 'x' }), await box({ a: [{ b: 1 }] })];
    const done = await asEva(many, { $push: { a: 2 }, $unset: { c: '' } });
    expect([done.status, done.text]).toEqual([204, '']);
    expect((await read(many)).attributes).toEqual({ a: [{ b: 1 }, 2] });
    const refused = await Promise.all([
      // It would look at what is stored: sums that fit or do not would tell the number.
      asEva(number, { $inc: { a: 1 } }),
      asEva(text, { $inc: { a: 1 } }),
      asEva(many, { $inc: { a: 1 } }),
      asEva(many, { $inc: { 'a.b': 1 } }),
      asEva(text, { $push: { a: 1 } }),
    ]);
    expect(new Set(refused.map((reply) => reply.text)).size).toBe(1);
    expect(faultsOf(refused[0])).toEqual(['409 change-refused']);
  });
});
