/** Lists of files with links to their contents: a page of pictures asks the bucket alone (docs/files.md#links). */
import { describe, expect, test } from 'vitest';
import { counts, type Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { digestOf, FILES, linkTo, PNG, readAt, storePicture, upload } from '../support/files.ts';
import { makeUser, may, underAcl } from '../support/people.ts';
import { counted } from '../support/own-service.ts';
import { newService } from '../support/scope.ts';

const MINUTE = 60_000;
const UNTIL = new Date(Date.now() + 60 * MINUTE).toISOString();

interface Listed {
  readonly id: string;
  readonly meta?: { readonly href?: string };
}
const listed = async (of: Client, query = `until=${UNTIL}`, headers = {}) => {
  const answer = await of.get(`${FILES}?${query}`, headers);
  expect(answer.status).toBe(200);
  return answer.body.data as readonly Listed[];
};
const hrefsOf = (files: readonly Listed[]) => files.map(({ meta }) => meta?.href);

const service = await newService(counted());
const { client } = service;
const named = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="ada.png"' };
const made = [PNG, PNG, PNG].map(async (each) => (await upload(client, each, named)).body.data.id);
const ids = (await Promise.all(made)).toSorted();

describe('a list of files with until', () => {
  test('shows all its pictures with one call of an object', async () => {
    await listed(client);
    const before = await counts(service.url);
    const hrefs = hrefsOf(await listed(client, `until=${UNTIL}&sort=name`));
    const shown = await Promise.all(hrefs.map((href) => readAt(href ?? '')));
    expect(shown.map(({ bytes }) => digestOf(bytes))).toEqual(ids.map(() => digestOf(PNG)));
    expect((await counts(service.url)).calls - before.calls).toBe(1);
  });

  test('has the links that each file gives by itself', async () => {
    const of = (meta: object) =>
      Promise.all(ids.map(async (id) => (await linkTo(client, id, meta)).body.meta['href']));
    expect(hrefsOf(await listed(client, `until=${UNTIL}`))).toEqual(await of({ until: UNTIL }));
    const sized = await of({ until: UNTIL, width: 64, download: true });
    expect(hrefsOf(await listed(client, `until=${UNTIL}&width=64&download`))).toEqual(sized);
  });

  test('shows a page of 1,000 pictures with one call of an object', async () => {
    const own = await service.newClient();
    for (let made = 0; made < 1_000; made += 50)
      await Promise.all(
        Array.from({ length: 50 }, () => storePicture(own, PNG, { 'content-type': 'image/png' })),
      );
    await listed(own);
    const before = await counts(service.url);
    const hrefs = hrefsOf(await listed(own, `until=${UNTIL}&page[limit]=1000`));
    expect(new Set(hrefs).size).toBe(1_000);
    for (let shown = 0; shown < 1_000; shown += 50) {
      const pictures = await Promise.all(hrefs.slice(shown, shown + 50).map((href) => readAt(href ?? '')));
      expect(pictures.every(({ bytes }) => bytes.length === PNG.length)).toBe(true);
    }
    expect((await counts(service.url)).calls - before.calls).toBe(1);
  });

  test('leads to no content that is deleted', async () => {
    const { id } = (await upload(client, PNG)).body.data;
    const href = (await listed(client)).find((each) => each.id === id)?.meta?.href ?? '';
    expect((await readAt(href)).status).toBe(200);
    await client.delete(`${FILES}/${id}`);
    await expect.poll(async () => (await readAt(href)).status).toBe(404);
  });

  test('gives no link to what has no sizes, where one is asked for', async () => {
    const { id } = (await upload(client, 'text', { 'content-type': 'text/plain' })).body.data;
    const linkOf = async (query: string) =>
      (await listed(client, query)).find((each) => each.id === id)?.meta?.href;
    expect([await linkOf(`until=${UNTIL}&width=64`), typeof (await linkOf(`until=${UNTIL}`))]).toEqual([
      undefined,
      'string',
    ]);
    await client.delete(`${FILES}/${id}`);
  });

  const LIST = may('get', FILES);
  const CONTENT = may('get', `${FILES}/[0-9a-f]{24}/content`);
  const LINKS = may('post', `${FILES}/[0-9a-f]{24}/links`);
  test.each([
    ['that does not permit the contents', [LIST, LINKS], false],
    ['that does not permit links to be made', [LIST, CONTENT], false],
    ['that permits both', [LIST, CONTENT, LINKS], true],
    ['whose rule lets fewer be read', [LIST, LINKS, { ...CONTENT, where: { size: 1 } }], false],
    ['whose rule hides what a link says', [{ ...LIST, fields: { read: ['name'] } }, CONTENT, LINKS], false],
    ['under ACL for the contents alone', [LIST, LINKS, { ...CONTENT, acl: { active: true } }], false],
  ])('a key %s: %#', async (_, permissions, gives) => {
    const files = await listed(await client.withPermissions(permissions));
    const hrefs = hrefsOf(files);
    expect(files.map((file) => 'meta' in file)).toEqual(ids.map(() => gives));
    expect(hrefs.map((href) => href !== undefined)).toEqual(ids.map(() => gives));
  });

  test('tells no name that a rule hides', async () => {
    const fields = { read: ['media-type', 'size', 'sha-256', 'created'] };
    const key = await client.withPermissions([may('get post', '/files/.*', { fields })]);
    const [href] = hrefsOf(await listed(key));
    expect((await readAt(href ?? '')).headers.get('content-disposition')).not.toContain('ada');
  });

  test('is of what a user may read', async () => {
    const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
    const web = await underAcl(client);
    const own = (await upload(web, PNG, ada.headers)).body.data.id;
    expect((await listed(web, `until=${UNTIL}`, ada.headers)).map(({ id }) => id)).toEqual([own]);
    expect(await listed(web, `until=${UNTIL}`, eve.headers)).toEqual([]);
    await client.delete(`${FILES}/${own}`);
  });

  test.each([
    ['until=soon', 'until'],
    ['until=2020-01-01T00:00:00Z', 'until'],
    ['until=2100-01-01T00:00:00Z', 'until'],
    ['width=64', 'until'],
    ['download', 'until'],
    [`until=${UNTIL}&width=63`, 'width'],
    [`until=${UNTIL}&fit=cover`, 'width'],
  ])('takes no %s', async (query, parameter) => {
    expect(faultsOf(await client.get(`${FILES}?${query}`))).toEqual([`400 invalid-parameter ?${parameter}`]);
  });
});
