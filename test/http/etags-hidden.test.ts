/** The tag of an answer depends on what the answer shows alone: what is hidden changes no status, and no tag. */
import { expect, test } from 'vitest';
import { Client, link, pathOf, type Resource } from '../support/client.ts';
import { grant, makeUser, underAcl, type Person } from '../support/people.ts';

const trusted = await Client.create();
const client = await underAcl(trusted);
const reader = await makeUser(trusted, 'reader');
const stranger = await makeUser(trusted, 'stranger');

const show = (document: Resource, ...people: readonly Person[]) =>
  grant(trusted, pathOf(document), { read: people.map(({ link }) => link) });

/** A post that links to a note that is seen and to one that is not, whose note is seen again. */
async function makeWorld() {
  const seen = await trusted.make('notes', { n: 1 });
  const behind = await trusted.make('notes', { n: 2 });
  const hidden = await trusted.make('notes', { n: 3 }, { to: { data: [link(behind)] } });
  const gone = await trusted.make('rumours', { n: 4 });
  const to = { data: [seen, hidden, gone].map(link) };
  const post = await trusted.make('posts', { title: 'a post' }, { to, one: { data: link(gone) } });
  for (const each of [seen, behind, post]) await show(each, reader);
  return { seen, behind, hidden, gone, post };
}

type World = Awaited<ReturnType<typeof makeWorld>>;

const VIEWS: Readonly<Record<string, (world: World) => string>> = {
  include: ({ post }) => `${pathOf(post)}?include=to`,
  'deep include': ({ post }) => `${pathOf(post)}?include=to.to,one`,
  'list with include': ({ post }) => `/resources/posts?include=to&filter[title]=${post.id}`,
  related: ({ post }) => `${pathOf(post)}/to`,
  'related to-one': ({ post }) => `${pathOf(post)}/one`,
  'related, a page': ({ post }) => `${pathOf(post)}/to?page[limit]=2`,
  'related, by a filter': ({ post }) =>
    `${pathOf(post)}/to?filter[*]=${encodeURIComponent('{"n":{"$gt":0}}')}`,
  'related with include': ({ post }) => `${pathOf(post)}/to?include=to`,
  feed: ({ post }) => `/resources/posts/changes?include=to&filter[title]=${post.id}`,
};

/** Views without what is hidden: it changes none of them. */
const WITHOUT: typeof VIEWS = {
  'one alone': ({ seen }) => pathOf(seen),
  'a list': ({ seen }) => `/resources/notes?filter[id]={"$oid":"${seen.id}"}`,
  'a list of nothing': () => '/resources/rumours',
};

/** What becomes of what is hidden, and stays so. */
const UNSEEN: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'it changes': ({ hidden }) =>
    trusted.patch(pathOf(hidden), { data: { ...link(hidden), attributes: { n: 5 } } }),
  'somebody else may read it': ({ hidden }) => show(hidden, stranger),
  'it is deleted': ({ hidden }) => trusted.delete(pathOf(hidden)),
  'all of its type are deleted': ({ gone }) => trusted.delete(pathOf(gone)),
  'what only it links to changes': ({ behind }) =>
    trusted.patch(pathOf(behind), { data: { ...link(behind), attributes: { n: 6 } } }),
  'somebody else may read what is seen, too': ({ seen }) => show(seen, reader, stranger),
};

/** The tags of all views, and then the status of each view with its own. */
async function tagsOf(world: World) {
  const { id } = world.post;
  // The feed shows it by its title, which no other has.
  const data = { ...link(world.post), attributes: { title: id } };
  expect((await trusted.patch(pathOf(world.post), { data })).status).toBe(200);
  return readAll(world);
}

function readAll(world: World, views = VIEWS): Promise<readonly (readonly [string, string, string])[]> {
  return Promise.all(
    Object.entries(views).map(async ([name, addressOf]) => {
      const read = await client.get(addressOf(world), reader.headers);
      expect([name, read.status]).toEqual([name, 200]);
      return [name, addressOf(world), read.etag] as const;
    }),
  );
}

async function statusesOf(tags: Awaited<ReturnType<typeof tagsOf>>) {
  const statuses = tags.map(async ([name, address, etag]) => {
    const read = await client.get(address, { ...reader.headers, 'if-none-match': etag });
    return [name, read.status] as const;
  });
  return Object.fromEntries(await Promise.all(statuses));
}

const every = (status: number) => Object.fromEntries(Object.keys(VIEWS).map((name) => [name, status]));

test.each(Object.entries(UNSEEN))('all is unchanged when %s', async (_, happen) => {
  const world = await makeWorld();
  const tags = await tagsOf(world);
  const others = await readAll(world, WITHOUT);
  await happen(world);
  expect(await statusesOf(tags)).toEqual(every(304));
  expect(await readAll(world)).toEqual(tags);
  expect(await readAll(world, WITHOUT)).toEqual(others);
});

test('what becomes visible, or is hidden, changes each answer that shows it', async () => {
  const world = await makeWorld();
  const before = await tagsOf(world);
  await show(world.hidden, reader);
  const one = { 'related to-one': 304 };
  expect(await statusesOf(before)).toEqual({ ...every(200), ...one });
  const meanwhile = await tagsOf(world);
  expect(await statusesOf(meanwhile)).toEqual(every(304));
  await show(world.hidden, stranger);
  expect(await statusesOf(meanwhile)).toEqual({ ...every(200), ...one });
  const after = await tagsOf(world);
  await show(world.gone, reader);
  expect(await statusesOf(after)).toEqual(every(200));
});

test('a change, or the deletion, of what is shown changes each answer that shows it', async () => {
  const world = await makeWorld();
  const { seen } = world;
  const shows = { ...every(200), 'related to-one': 304 };
  const first = await tagsOf(world);
  await trusted.patch(pathOf(seen), { data: { ...link(seen), attributes: { n: 9 } } });
  expect(await statusesOf(first)).toEqual(shows);
  const second = await tagsOf(world);
  await trusted.delete(pathOf(seen));
  expect(await statusesOf(second)).toEqual(shows);
});
