/** Documents that the settings of their type let end at a date: gone for everybody at once, and soon deleted. */
import { beforeEach, describe, expect, test } from 'vitest';
import { defined, outputsPath } from '../support/aggregates.ts';
import { Client, type Link, type Resource } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { operate, remove } from '../support/operations.ts';
import { grant, makeUser, underAcl } from '../support/people.ts';
import { resettle, settle } from '../support/type-settings.ts';

const PAST = { $date: '2020-01-01T00:00:00Z' };
const FUTURE = { $date: '2999-01-01T00:00:00Z' };
const PATH = '/resources/stories';

let client: Client;

beforeEach(async () => {
  client = await Client.create();
  const settled = await settle(client, { name: 'stories', expires: 'until', unique: [['slug']] });
  expect(settled.status).toBe(201);
});

const make = (attributes: Readonly<Record<string, unknown>>, relationships = {}) =>
  client.make('stories', attributes, relationships);
const change = ({ id }: Link, attributes: Readonly<Record<string, unknown>>) =>
  client.update(`${PATH}/${id}`, { attributes });
const idsOf = ({ body }: { body: { data: Resource[] } }) => body.data.map(({ id }) => id);
const read = ({ id }: Link) => client.get(`${PATH}/${id}`);

describe('which values end a document', () => {
  test.each([
    ['a date in the past', PAST, true],
    ['the first instant', { $date: 0 }, true],
    ['the earliest date', { $date: -8_640_000_000_000_000 }, true],
    ['a date in the future', FUTURE, false],
    ['the last date', { $date: 8_640_000_000_000_000 }, false],
    ['a string', '2020-01-01T00:00:00Z', false],
    ['a number', 0, false],
    ['null', null, false],
    ['an array of dates', [PAST], false],
    ['an object', { until: PAST }, false],
  ])('%s', async (_, until, ends) => {
    const made = await make({ until });
    expect((await read(made)).body.data).toEqual(ends ? null : expect.objectContaining({ id: made.id }));
    expect(idsOf(await client.get(PATH))).toEqual(ends ? [] : [made.id]);
  });
});

test('a document without the field stays, and its end moves with the field', async () => {
  const made = await make({ text: 'a' });
  expect((await change(made, { until: FUTURE })).status).toBe(200);
  expect((await change(made, { until: null })).status).toBe(200);
  expect((await read(made)).body.data.id).toBe(made.id);
});

describe('a document that has come to its end', () => {
  let gone: Link;
  let kept: Link;
  beforeEach(async () => {
    gone = await make({ slug: 'gone', n: 1, until: FUTURE });
    kept = await make({ slug: 'kept', n: 2, until: FUTURE });
  });
  const end = () => change(gone, { until: PAST });

  test('is null at its address, whatever tag is sent', async () => {
    const before = await read(gone);
    const ended = await end();
    for (const tag of [before.etag, ended.etag]) {
      const after = await client.get(`${PATH}/${gone.id}`, { 'if-none-match': tag });
      expect([after.status, after.body.data]).toEqual([200, null]);
      expect(after.etag).not.toBe(tag);
    }
  });

  test('is in no list and no count, whatever tag is sent', async () => {
    const paths = [
      `${PATH}?page[size]=10`,
      `${PATH}?filter[n]={"$lt":5}&sort=-n`,
      `${PATH}?filter[slug]=gone`,
    ];
    const before = await Promise.all(paths.map((path) => client.get(path)));
    expect(before.map(({ body }) => body.meta.count)).toEqual([2, 2, 1]);
    await end();
    for (const [at, path] of paths.entries()) {
      const after = await client.get(path, { 'if-none-match': before[at]?.etag ?? '' });
      expect(after.status).toBe(200);
      expect(idsOf(after)).toEqual(at === 2 ? [] : [kept.id]);
      expect(after.body.meta.count).toBe(at === 2 ? 0 : 1);
    }
  });

  test('is in no include, and nothing can link to it', async () => {
    const link = { data: { type: 'stories', id: gone.id } };
    const post = await client.make('posts', {}, { story: link });
    const path = `/resources/posts/${post.id}?include=story`;
    expect(idsOf({ body: { data: (await client.get(path)).body.included } })).toEqual([gone.id]);
    await end();
    expect((await client.get(path)).body.included).toEqual([]);
    expect((await client.get(`/resources/posts/${post.id}/story`)).body.data).toEqual([]);
    expect(idsOf(await client.get('/resources/posts?filter[story.slug]=gone'))).toEqual([]);
    const relationships = { story: link };
    const made = await client.create('/resources/posts', { relationships });
    expect(made.status).toBe(404);
  });

  test('is no input of an aggregate', async () => {
    await defined(client, 'sum', 'stories', [{ group: { id: 'all', n: { $sum: '$n' } } }]);
    const sum = async () => (await client.get(outputsPath('sum'))).body.data[0]?.attributes?.['n'];
    expect(await sum()).toBe(3);
    await end();
    expect(await sum()).toBe(2);
  });

  test('is not to be changed or deleted', async () => {
    await end();
    expect((await change(gone, { until: FUTURE })).status).toBe(404);
    expect((await client.delete(`${PATH}/${gone.id}`)).status).toBe(404);
    expect((await operate(client, [remove(gone)])).status).toBe(404);
  });

  test('leaves its unique values to others', async () => {
    await end();
    expect((await make({ slug: 'gone' })).type).toBe('stories');
  });

  test('does not come back when the setting goes', async () => {
    await end();
    await resettle(client, 'stories', { expires: null });
    expect((await read(gone)).body.data).toBe(null);
  });
});

describe('a change of the setting', () => {
  test('ends the documents that are past the new field, and only these', async () => {
    const first = await make({ other: PAST, until: FUTURE });
    const second = await make({ other: FUTURE, until: FUTURE });
    await resettle(client, 'stories', { expires: 'other' });
    expect(idsOf(await client.get(PATH))).toEqual([second.id]);
    expect((await read(first)).body.data).toBe(null);
    // The former field ends nothing any more.
    await change(second, { until: PAST });
    expect(idsOf(await client.get(PATH))).toEqual([second.id]);
  });

  test('of many documents ends all of them', async () => {
    await crowd(client, 'many', 450, () => ({ until: PAST }));
    await settle(client, { name: 'many', expires: 'until' });
    const counts = await Promise.all([1, 2, 3].map(() => client.get('/resources/many?page[size]=1')));
    expect(counts.map(({ body }) => body.meta.count)).toEqual([0, 0, 0]);
  });
});

describe('under an ACL', () => {
  test('those who could read it see that it is gone, others nothing', async () => {
    const acl = await underAcl(client);
    const ann = await makeUser(client, 'ann');
    const eve = await makeUser(client, 'eve');
    const made = await make({ until: FUTURE });
    await grant(client, `${PATH}/${made.id}`, { read: [ann.link] });
    await change(made, { until: PAST });
    const [hers, others] = await Promise.all(
      [ann, eve].map(({ headers }) => acl.get(`${PATH}/${made.id}`, headers)),
    );
    expect([hers?.status, hers?.body.data]).toEqual([200, null]);
    expect(others?.status).toBe(403);
  });
});
