/** Links to contents that carry their right: for pages and mail, without a key (docs/files.md). */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { contentsOf, digestOf, FILES, linkTo, PNG, readAt, upload } from '../support/files.ts';
import { SECRETS } from '../support/own-service.ts';
import { grant, makeUser, may, underAcl } from '../support/people.ts';
import { newService } from '../support/scope.ts';

const client = await Client.create('links');
const named = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="ada.png"' };
const id = (await upload(client, PNG, named)).body.data.id;

const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const hrefOf = async (...asked: Parameters<typeof linkTo>) => {
  const made = await linkTo(...asked);
  expect(made.status).toBe(200);
  return String(made.body.meta['href']);
};

describe('a link', () => {
  test('reads the content without a key, in parts too', async () => {
    const href = await hrefOf(client, id);
    expect(href).toContain(`${client.url}/content/${client.application}/`);
    const whole = await readAt(href);
    expect([whole.status, whole.bytes]).toEqual([200, PNG]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename=ada.png',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringMatching(/^private, max-age=\d\d, immutable$/) as string,
      etag: `"${digestOf(PNG)}"`,
    });
    const part = await readAt(href, { headers: { range: 'bytes=1-3' } });
    expect([part.status, new TextDecoder().decode(part.bytes)]).toEqual([206, 'PNG']);
    const head = await readAt(href, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PNG.length)]);
    const same = await readAt(href, { headers: { 'if-none-match': `"${digestOf(PNG)}"` } });
    expect([same.status, same.bytes.length]).toEqual([304, 0]);
    expect((await readAt(href, { headers: { range: 'bytes=900-' } })).status).toBe(416);
    expect((await readAt(href, { method: 'POST' })).status).toBe(405);
  });

  test('is the same for the same time, and tells nothing of the file', async () => {
    const meta = { until: later(60_000) };
    const href = await hrefOf(client, id, meta);
    expect(await hrefOf(client, id, meta)).toBe(href);
    expect(href).not.toContain(id);
    expect(atob(href.split('/').at(-1)?.replaceAll('-', '+').replaceAll('_', '/') ?? '')).not.toContain(
      'ada',
    );
  });

  test('may have the content saved', async () => {
    const href = await hrefOf(client, id, { until: later(60_000), download: true });
    expect((await readAt(href)).headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('ends at its time', async () => {
    const href = await hrefOf(client, id, { until: later(1_500) });
    expect((await readAt(href)).status).toBe(200);
    await expect.poll(async () => (await readAt(href)).status).toBe(404);
  });

  test.each([
    [undefined],
    ['tomorrow'],
    [later(-1_000)],
    [later(8 * 86_400_000)],
    [1_900_000_000_000],
    [{ $date: later(60_000) }],
  ])('has no end at %j', async (until) => {
    expect(faultsOf(await linkTo(client, id, { until }))).toEqual(['400 invalid-body /meta/until']);
  });

  test('is saved or not, and nothing between', async () => {
    const refused = await linkTo(client, id, { until: later(60_000), download: 'yes' });
    expect(faultsOf(refused)).toEqual(['400 invalid-body /meta/download']);
  });
});

describe('who may make a link', () => {
  test('is who may read the content, by rights', async () => {
    const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
    const web = await underAcl(client);
    const own = (await upload(web, PNG, ada.headers)).body.data.id;
    const statuses = async () => [
      (await linkTo(web, own, undefined, ada.headers)).status,
      (await linkTo(web, own, undefined, eve.headers)).status,
      (await linkTo(web, NO_ID, undefined, eve.headers)).status,
    ];
    expect(await statuses()).toEqual([200, 403, 403]);
    await grant(client, `${FILES}/${own}`, { read: [ada.link, eve.link] });
    expect(await statuses()).toEqual([200, 200, 403]);
  });

  test('is who has a key that may GET the content, and sees the document by its rule', async () => {
    const post = may('post', '/files/.*');
    const keys = [
      [post],
      [post, may('get', '/files/core.file/[0-9a-f]{24}/content')],
      [post, may('get', '/files/.*', { where: { size: 1 } })],
      [post, may('get', '/files/.*', { fields: { read: ['size'] } })],
      [may('get', '/files/.*')],
    ];
    const answers = [];
    for (const permissions of keys) {
      answers.push(await linkTo(await client.withPermissions(permissions), id));
    }
    expect(answers.map(({ status }) => status)).toEqual([403, 200, 403, 200, 403]);
    const shown = await readAt(String(answers[3]?.body.meta['href']));
    expect(shown.headers.get('content-disposition')).not.toContain('ada');
  });

  test('learns of no file that is not there', async () => {
    expect(faultsOf(await linkTo(client, NO_ID))).toEqual(['404 document-not-found']);
  });
});

describe('a link leads nowhere', () => {
  const nowhere = async (href: string) => {
    const read = await readAt(href);
    expect(read.status).toBe(404);
    expect(new TextDecoder().decode(read.bytes)).toContain('The link leads to nothing, or has ended.');
  };

  test('when it is guessed, or changed at any place', async () => {
    const href = await hrefOf(client, id);
    const at = href.lastIndexOf('/') + 1;
    for (let place = at; place < href.length; place += 7) {
      const other = href[place] === 'A' ? 'B' : 'A';
      await nowhere(`${href.slice(0, place)}${other}${href.slice(place + 1)}`);
    }
    for (const sealed of ['x', 'A'.repeat(200), `${href.slice(at)}A`, href.slice(at, -4), '%00', '..%2f']) {
      await nowhere(`${client.url}/content/${client.application}/${sealed}`);
    }
  });

  test('when it is that of another application', async () => {
    const other = await Client.create('others');
    const sealed = (await hrefOf(client, id)).split('/').at(-1) ?? '';
    for (const application of [other.application, 'x', NO_ID]) {
      await nowhere(`${client.url}/content/${application}/${sealed}`);
    }
  });

  test('when it is another seal of the service', async () => {
    await client.make('notes');
    await client.make('notes');
    const listed = await client.get('/resources/notes?page[size]=1&page[after]=');
    const cursor = new URL(String(listed.body.links.next), client.url).searchParams.get('page[after]');
    await nowhere(`${client.url}/content/${client.application}/${cursor ?? ''}`);
  });

  test('after its file is deleted', async () => {
    const own = await Client.create('gone links');
    const file = (await upload(own, PNG)).body.data.id;
    const href = await hrefOf(own, file);
    await own.delete(`${FILES}/${file}`);
    await expect.poll(() => contentsOf(own)).toEqual([]);
    await nowhere(href);
  });

  test('after its application is deleted', async () => {
    const own = await Client.create('ended links');
    const href = await hrefOf(own, (await upload(own, PNG)).body.data.id);
    await operator().delete(own.application);
    await nowhere(href);
  });
});

test('a link ends when the secret that has sealed it is no longer known', async () => {
  const own = await newService();
  const href = await hrefOf(own.client, (await upload(own.client, PNG)).body.data.id);
  await own.restart();
  const again = href.replace(/^http:..[^/]*/, own.client.url);
  expect((await readAt(again)).status).toBe(200);
  await own.restart({}, { ...SECRETS, CREDENTIAL_SECRETS: `other:${'o'.repeat(40)}` });
  expect((await readAt(again.replace(/^http:..[^/]*/, own.client.url))).status).toBe(404);
});
