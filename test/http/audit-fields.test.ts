/** What the service knows of a document: `$creator`, `$created`, `$updated`, asked for by name in `fields[<type>]`. */
import { describe, expect, test } from 'vitest';
import { Client, MEDIA_TYPE, type Link, type Reply, type Resource } from '../support/client.ts';
import { operate } from '../support/operations.ts';
import { ACL, EVERY_METHOD, makeUser, may, type Person } from '../support/people.ts';

const ALL = '$creator,$created,$updated';

interface Known {
  readonly creator?: Link | null;
  readonly created?: string | null;
  readonly updated?: string | null;
}

const client = await Client.create();
const app = await client.withPermissions([may(EVERY_METHOD, '.*', ACL)]);
const [ada, bob] = [await makeUser(client, 'ada'), await makeUser(client, 'bob')];

const metaOf = (resource: Resource): Known | undefined => (resource as { readonly meta?: Known }).meta;

const known = async ({ type, id }: Link): Promise<Known> => {
  const path = `${type.startsWith('core.') ? '/users' : '/resources'}/${type}/${id}`;
  const read = await client.get(`${path}?fields[${type}]=${ALL}`);
  return metaOf(read.body.data) ?? {};
};

const write = (person: Person, title = 'T'): Promise<Reply> =>
  app.create('/resources/notes', { attributes: { title } }, person.headers);

describe('a document shows in meta', () => {
  test.each<[string, string, readonly string[]]>([
    ['all that is known of it', ALL, ['creator', 'created', 'updated']],
    ['who created it', '$creator', ['creator']],
    ['the two times', '$updated,$created', ['created', 'updated']],
    ['one of them beside its fields', 'title,$created', ['created']],
  ])('%s', async (_, fields, members) => {
    const { body } = await write(ada);
    const read = await client.get(`/resources/notes/${body.data.id}?fields[notes]=${fields}`);
    expect(Object.keys(metaOf(read.body.data) ?? {})).toEqual(members);
    expect(read.body.data.attributes).toEqual(fields.startsWith('title') ? { title: 'T' } : undefined);
  });

  test.each(['', '?fields[notes]=title', '?fields[notes]=', '?fields[others]=$created'])(
    'nothing where it is not asked for: %s',
    async (query) => {
      const { body } = await write(ada);
      const read = await client.get(`/resources/notes/${body.data.id}${query}`);
      expect(metaOf(read.body.data)).toBe(undefined);
      expect(read.text).not.toContain('$c');
    },
  );

  test('the user who created it, and the times to the millisecond', async () => {
    const before = Date.now();
    const made = await write(ada);
    const { creator, created, updated } = await known(made.body.data);
    expect(creator).toEqual(ada.link);
    expect(created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(String(created))).toBeGreaterThanOrEqual(before);
    expect(Date.parse(String(created))).toBeLessThanOrEqual(Date.now());
    expect(updated).toBe(created);
  });

  test('no creator where no user is behind the request', async () => {
    const made = await client.make('notes');
    expect(await known(made)).toMatchObject({ creator: null });
    // A token that the permission does not look at says nothing.
    const post = await client.create('/resources/notes', {}, ada.headers);
    expect(await known(post.body.data)).toMatchObject({ creator: null });
  });

  test('dates in wrappers in the extended-json profile', async () => {
    const { body } = await write(ada);
    const { creator, created } = await known(body.data);
    const read = await client.get(`/resources/notes/${body.data.id}?fields[notes]=${ALL}`, {
      accept: `${MEDIA_TYPE};profile="${client.url}/profiles/extended-json"`,
    });
    expect(metaOf(read.body.data)).toEqual({
      creator,
      created: { $date: created },
      updated: { $date: created },
    });
  });
});

describe('it is shown', () => {
  test('in lists, includes and related documents, for the types that ask for it', async () => {
    const made = await write(ada, 'linked');
    const { id } = made.body.data;
    const box = await client.make('boxes', {}, { notes: { data: [{ type: 'notes', id }] } });
    const expected = await known(made.body.data);
    const list = await client.get(`/resources/notes?fields[notes]=${ALL}&filter[title]=linked`);
    expect(list.body.data.map(metaOf)).toEqual([expected]);
    const include = await client.get(`/resources/boxes/${box.id}?include=notes&fields[notes]=${ALL}`);
    expect(include.body.included.map(metaOf)).toEqual([expected]);
    expect(metaOf(include.body.data)).toBe(undefined);
    const related = await client.get(`/resources/boxes/${box.id}/notes?fields[notes]=${ALL}`);
    expect(related.body.data.map(metaOf)).toEqual([expected]);
  });

  test('in the answers to writes, those of a list of operations too', async () => {
    const made = await app.post(
      `/resources/notes?fields[notes]=${ALL}`,
      { data: { type: 'notes' } },
      ada.headers,
    );
    expect(metaOf(made.body.data)).toEqual(await known(made.body.data));
    const { type, id } = made.body.data;
    const changed = await app.patch(
      `/resources/notes/${id}?fields[notes]=${ALL}`,
      { data: { type, id, attributes: { a: 1 } } },
      ada.headers,
    );
    expect(metaOf(changed.body.data)).toEqual(await known(made.body.data));
  });

  test('of users and groups', async () => {
    const group = await app.create('/users/core.user-group', { attributes: { name: 'g' } }, bob.headers);
    expect(await known(group.body.data)).toMatchObject({ creator: bob.link });
    const user = await known(ada.link);
    expect(user.creator).toBe(null);
    expect(user.created).toBe(user.updated);
  });

  test('of API keys and schemas', async () => {
    for (const path of ['/api-keys/core.api-key', '/schemas/core.schema']) {
      const type = path.split('/')[2] ?? '';
      if (type === 'core.schema') {
        const attributes = { target: 'others', content: {} };
        await client.post(path, { data: { type, attributes } });
      }
      const list = await client.get(`${path}?fields[${type}]=${ALL}`);
      expect(list.body.data.length).toBeGreaterThan(0);
      for (const each of list.body.data) expect(Object.keys(metaOf(each) ?? {})).toHaveLength(3);
    }
  });
});

/** Later than the clock was: a change in the same millisecond would show nothing. */
async function tick(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await Promise.resolve();
}

describe('the time of the last change', () => {
  const at = (link: Link) => `/resources/${link.type}/${link.id}`;
  test.each<[string, boolean, (link: Link) => Promise<Reply>]>([
    [
      'is that of a change of attributes',
      true,
      ({ type, id }) => client.update(at({ type, id }), { attributes: { a: 1 } }),
    ],
    [
      'is that of operators',
      true,
      ({ type, id }) => client.update(at({ type, id }), { meta: { update: { $inc: { n: 1 } } } }),
    ],
    [
      'is that of a change of a relationship',
      true,
      (link) => client.post(`${at(link)}/relationships/others`, { data: [link] }),
    ],
    [
      'is that of an operation',
      true,
      ({ type, id }) => operate(client, [{ op: 'update', data: { type, id, attributes: { a: 2 } } }]),
    ],
    [
      'stays when rights change',
      false,
      ({ type, id }) => client.update(`/resources/${type}.acl/${id}`, { attributes: { read: '*' } }),
    ],
    ['stays when the document is read', false, (link) => client.get(at(link))],
  ])('%s', async (_, moves, change) => {
    const { data } = (await write(ada)).body;
    const before = await known(data);
    await tick();
    expect((await change(data)).status).toBeLessThan(300);
    const { creator, created, updated } = await known(data);
    expect({ creator, created }).toEqual({ creator: before.creator, created: before.created });
    expect(String(updated) > String(before.updated)).toBe(moves);
  });

  test('is that of a change of me', async () => {
    const before = await known(bob.link);
    await tick();
    await app.update('/users/core.user/me', { attributes: { nick: 'b' } }, bob.headers);
    const after = await known(bob.link);
    expect(after.created).toBe(before.created);
    expect(String(after.updated) > String(before.updated)).toBe(true);
  });
});

describe('what is known', () => {
  test('of an operation that adds is who did it, and is in its answer', async () => {
    const add = [{ op: 'add', data: { type: 'notes' } }];
    const { results } = await operate(app, add, ada.headers, `?fields[notes]=${ALL}`);
    const data = results[0]?.data ?? expect.fail();
    expect(metaOf(data)).toMatchObject({ creator: ada.link });
    expect(metaOf(data)).toEqual(await known(data));
  });

  test.each(['$creator', '$created', '$updated'])('is not for clients to write: %s', async (name) => {
    const made = await client.create('/resources/notes', { attributes: { [name]: 1 } });
    expect(made.status).toBe(422);
  });
});
