/** Files of documents: whoever may read one of the documents reads them; the last takes them along (docs/files.md). */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, NO_ID } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { contentsOf, fetchContent, FILES, linkTo, PNG, upload } from '../support/files.ts';
import { operateWith } from '../support/operations.ts';
import { HALTING } from '../support/own-service.ts';
import { ACL, grant, makeUser, may, underAcl, type Person } from '../support/people.ts';
import { newService } from '../support/scope.ts';

const file = (id: string) => ({ data: { type: 'core.file', id } });
const settle = async (client: Client, attributes: object) => {
  const set = await client.create('/schemas/core.type', { attributes });
  expect(set.status).toBe(201);
  return set.body.data.id;
};

describe('the picture of a message', () => {
  let client: Client;
  let web: Client;
  let [ada, eve]: readonly Person[] = [];
  let channel: string;
  let picture: string;
  let message: string;
  const statusFor = async (person = eve, key = web, id = picture) =>
    (await fetchContent(key, id, person?.headers)).status;
  const post = (person: Person | undefined, relationships: object, key = web) =>
    key.create('/resources/messages', { relationships }, person?.headers);

  beforeAll(async () => {
    client = await Client.create('attached');
    web = await underAcl(client);
    [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
    await settle(client, {
      name: 'messages',
      rights: { read: ['$channel', '$creator'], update: ['$creator'], delete: ['$creator'] },
      files: ['picture', 'more'],
    });
  });
  beforeEach(async () => {
    channel = (await client.make('channels')).id;
    await grant(client, `/resources/channels/${channel}`, { read: [ada?.link, eve?.link] });
    picture = (await upload(web, PNG, ada?.headers)).body.data.id;
    const made = await post(ada, {
      channel: { data: { type: 'channels', id: channel } },
      picture: file(picture),
    });
    expect(made.status).toBe(201);
    message = made.body.data.id;
  });

  test('is read by the readers of its channel, and by nobody else', async () => {
    const mallory = await makeUser(client, `mallory-${picture}`);
    expect([await statusFor(ada), await statusFor(eve), await statusFor(mallory)]).toEqual([200, 200, 403]);
    expect(await statusFor(mallory, web, NO_ID)).toBe(403);
    expect((await linkTo(web, picture, undefined, eve?.headers)).status).toBe(200);
    expect((await linkTo(web, picture, undefined, mallory.headers)).status).toBe(403);
    // The document of the file is another matter.
    expect((await web.get(`${FILES}/${picture}`, eve?.headers)).status).toBe(403);
  });

  test('is not read any more once the right on the channel is revoked', async () => {
    expect(await statusFor()).toBe(200);
    await grant(client, `/resources/channels/${channel}`, { read: [ada?.link] });
    expect(await statusFor()).toBe(403);
  });

  test('is not read any more once the message has another one', async () => {
    const other = (await upload(web, PNG, ada?.headers)).body.data.id;
    const data = { type: 'messages', id: message, relationships: { picture: file(other) } };
    expect((await web.patch(`/resources/messages/${message}`, { data }, ada?.headers)).status).toBe(200);
    expect([await statusFor(), await statusFor(eve, web, other)]).toEqual([403, 200]);
  });

  test('is one of several, in any relationship that the settings name', async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push((await upload(web, PNG, ada?.headers)).body.data.id);
    const links = (which: readonly string[]) => ({ data: which.map((id) => file(id).data) });
    const [first = '', second = '', other = ''] = ids;
    const inChannel = { channel: { data: { type: 'channels', id: channel } } };
    await post(ada, { ...inChannel, more: links([first, second]), beside: links([other]) });
    expect(await Promise.all(ids.map((id) => statusFor(eve, web, id)))).toEqual([200, 200, 403]);
  });

  test.each([
    ['does not permit the messages', [may('get', '/resources/channels.*', ACL)], 403],
    [
      'does not show the relationship',
      [may('get', '/resources/.*', { acl: { active: true }, fields: { read: ['text'] } })],
      403,
    ],
    ['permits other messages alone', [may('get', `/resources/messages/${NO_ID}`, ACL)], 403],
    ['permits the messages', [may('get', '/resources/.*', ACL)], 200],
  ])('is not read by a key that %s', async (_, permissions, status) => {
    const files = may('get', '/files/.*', ACL);
    expect(await statusFor(eve, await client.withPermissions([files, ...permissions]))).toBe(status);
  });

  test('is not read by a key whose rule hides the file', async () => {
    const acl = { active: true };
    const key = await client.withPermissions([
      may('get', '/resources/.*', { acl }),
      may('get', '/files/.*', { acl, where: { size: 1 } }),
    ]);
    expect(await statusFor(eve, key)).toBe(403);
  });

  describe('that its sender may not read', () => {
    const stranger = async () => (await upload(web, PNG, ada?.headers)).body.data.id;
    const missing = (pointer: string) => [`404 link-not-found ${pointer}`];
    const toChannel = () => ({ channel: { data: { type: 'channels', id: channel } } });

    test('is as one that is not there: in a create, a change, a relationship, a list of operations', async () => {
      const secret = await stranger();
      const made = await post(eve, { ...toChannel(), picture: file(secret) });
      expect(faultsOf(made)).toEqual(missing('/data/relationships/picture/data'));
      expect(made.text.replaceAll(secret, NO_ID)).toBe(
        (await post(eve, { ...toChannel(), picture: file(NO_ID) })).text,
      );
      const own = (await post(eve, toChannel())).body.data.id;
      const path = `/resources/messages/${own}`;
      const data = { type: 'messages', id: own, relationships: { more: { data: [file(secret).data] } } };
      expect(faultsOf(await web.patch(path, { data }, eve?.headers))).toEqual(
        missing('/data/relationships/more/data/0'),
      );
      const linkage = await web.patch(`${path}/relationships/picture`, file(secret), eve?.headers);
      expect(faultsOf(linkage)).toEqual(missing('/data'));
      const relationships = { ...toChannel(), picture: file(secret) };
      const operations = { 'atomic:operations': [{ op: 'add', data: { type: 'messages', relationships } }] };
      const listed = await operateWith(web, operations, eve?.headers);
      expect(listed.status).toBe(404);
      expect(await statusFor(eve, web, secret)).toBe(403);
    });

    test('may be linked where nobody reads it by that', async () => {
      expect((await post(eve, { ...toChannel(), beside: file(await stranger()) })).status).toBe(201);
    });

    test('may be passed on by who reads it by a message', async () => {
      expect((await post(eve, { ...toChannel(), picture: file(picture) })).status).toBe(201);
    });
  });
});

describe('a version with a file that the document has lost', () => {
  let client: Client;
  let web: Client;
  let [ada, eve]: readonly Person[] = [];
  let picture: string;
  let path: string;
  const restore = async (person: Person | undefined) => {
    const restored = await web.post(`${path}/versions/1/restore`, undefined, person?.headers);
    return restored.status < 300 ? restored.status : faultsOf(restored)[0];
  };
  const isRead = async () => (await fetchContent(web, picture, eve?.headers)).status === 200;

  beforeEach(async () => {
    client = await Client.create('lost-picture');
    web = await underAcl(client);
    [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
    await settle(client, { name: 'posts', files: ['picture', 'more'], history: 'forever' });
    picture = (await upload(web, PNG, ada.headers)).body.data.id;
    // Another document keeps the file.
    await client.make('posts', {}, { picture: file(picture) });
    const made = await web.create(
      '/resources/posts',
      { relationships: { picture: file(picture) } },
      ada.headers,
    );
    path = `/resources/posts/${made.body.data.id}`;
  });
  const share = (rights: Record<string, unknown>) => grant(client, path, rights);
  const lose = () => client.update(path, { relationships: { picture: { data: null } } });

  test('comes back for who may read the file', async () => {
    await lose();
    await share({ read: [ada?.link, eve?.link], update: [ada?.link] });
    expect(await isRead()).toBe(false);
    expect(await restore(ada)).toBe(200);
    expect(await isRead()).toBe(true);
  });

  test('is refused to who may not, as a link to it is', async () => {
    await lose();
    await share({ read: [ada?.link, eve?.link], update: [eve?.link] });
    expect(await restore(eve)).toBe('404 link-not-found /data/relationships/picture/data');
    expect(await isRead()).toBe(false);
  });

  test('is refused to who may not see the field in which the document has it still', async () => {
    path = `/resources/posts/${(await client.make('posts', {}, { picture: file(picture), more: file(picture) })).id}`;
    await lose();
    await share({ read: [eve?.link], update: [eve?.link] });
    const shown = { acl: { active: true }, fields: { read: ['picture'] } };
    web = await client.withPermissions([
      may('get', '/files/.*', ACL),
      may('get post', '/resources/.*', shown),
    ]);
    expect(await restore(eve)).toBe('404 link-not-found /data/relationships/picture/data');
    expect(await isRead()).toBe(false);
    // Nor are they told that this field had it.
    await client.update(path, { relationships: { more: { data: null } } });
    expect(await restore(eve)).toBe('404 version-not-found');
  });

  test('is none for who could delete the document and not read it', async () => {
    await lose();
    await share({ read: [ada?.link], delete: [eve?.link] });
    await client.delete(path);
    expect(await restore(eve)).toBe('404 version-not-found');
  });

  test('comes back where the document had it at its deletion, whoever may delete it', async () => {
    await share({ read: [ada?.link], delete: [eve?.link] });
    expect((await web.delete(path, undefined, eve?.headers)).status).toBe(204);
    expect(await restore(eve)).toBe(204);
  });

  test('comes back without the file that is gone', async () => {
    await lose();
    await share({ read: [ada?.link, eve?.link], update: [eve?.link] });
    await client.delete(`${FILES}/${picture}`);
    expect(await restore(eve)).toBe(200);
  });
});

test('the picture of a user is read by whoever may read the user', async () => {
  const client = await Client.create('portraits');
  const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
  const web = await underAcl(client);
  await settle(client, { name: 'core.user', files: ['picture'], rights: { read: ['*'] } });
  const { id } = (await upload(web, PNG, ada.headers)).body.data;
  const data = { ...ada.link, relationships: { picture: file(id) } };
  expect((await client.patch(`/users/core.user/${ada.link.id}`, { data })).status).toBe(200);
  expect((await fetchContent(web, id, eve.headers)).status).toBe(200);
});

describe('a file goes with the last document that has it', () => {
  let client: Client;
  beforeEach(async () => {
    client = await Client.create('last');
    await settle(client, { name: 'posts', files: ['picture'], expires: 'until' });
  });

  const stored = async () => (await upload(client, PNG)).body.data.id;
  const isThere = async (id: string) => (await fetchContent(client, id)).status === 200;
  const goes = async (id: string) => {
    await expect.poll(() => isThere(id)).toBe(false);
    await expect.poll(() => contentsOf(client)).not.toContain(id);
  };
  /** Another file that must go shows that the messages before it were looked at. */
  const stays = async (id: string) => {
    const other = await stored();
    const { id: last } = await client.make('posts', {}, { picture: file(other) });
    await client.delete(`/resources/posts/${last}`);
    await goes(other);
    expect(await isThere(id)).toBe(true);
  };

  test('when it is deleted, or ends', async () => {
    const ids = [await stored(), await stored()];
    const [first = '', second = ''] = ids;
    const one = await client.make('posts', {}, { picture: file(first) });
    await client.delete(`/resources/posts/${one.id}`);
    await goes(first);
    const other = await client.make('posts', {}, { picture: file(second) });
    const attributes = { until: { $date: '2020-01-01' } };
    await client.update(`/resources/posts/${other.id}`, { attributes });
    await goes(second);
  });

  test('when it has another one', async () => {
    const [first, second] = [await stored(), await stored()];
    const { id } = await client.make('posts', {}, { picture: file(first) });
    await client.update(`/resources/posts/${id}`, { relationships: { picture: file(second) } });
    await goes(first);
    expect(await isThere(second)).toBe(true);
  });

  test('and stays while another one has it, of whatever type of many', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => settle(client, { name: `t${n}`, files: ['b'] })));
    await settle(client, { name: 'pages', files: ['banner'] });
    const id = await stored();
    const post = await client.make('posts', {}, { picture: file(id) });
    const page = await client.make('pages', {}, { banner: { data: [file(id).data] } });
    await client.delete(`/resources/posts/${post.id}`);
    await stays(id);
    await client.delete(`/resources/pages/${page.id}`);
    await goes(id);
  });

  test('and stays where a check refuses its deletion, which holds up no other', async () => {
    const kept = { name: 'kept', on: ['delete'], filter: { name: { $ne: 'kept.png' } } };
    await settle(client, { name: 'core.file', checks: [kept] });
    const ids: string[] = [];
    // More than make a receiver rest who fails so often.
    for (let n = 0; n < 8; n += 1) {
      const id = await stored();
      const data = { type: 'core.file', id, attributes: { name: 'kept.png' } };
      expect((await client.patch(`${FILES}/${id}`, { data })).status).toBe(200);
      ids.push(id);
    }
    const more = { data: ids.map((id) => file(id).data) };
    const post = await client.make('posts', {}, { picture: more });
    await client.delete(`/resources/posts/${post.id}`);
    await stays(ids[0] ?? '');
    expect(await Promise.all(ids.map(isThere))).not.toContain(false);
  });

  test('and stays where the settings name no such relationship', async () => {
    const id = await stored();
    const post = await client.make('posts', {}, { beside: file(id) });
    await client.delete(`/resources/posts/${post.id}`);
    await stays(id);
  });
});

test.each([
  ['picture', ''],
  [[1], '/0'],
  [['$picture'], '/0'],
])('files are the names of relationships, and not %j', async (files, place) => {
  const client = await Client.create('wrong');
  const set = await client.create('/schemas/core.type', { attributes: { name: 'posts', files } });
  expect(faultsOf(set)).toEqual([`422 invalid-attribute /data/attributes/files${place}`]);
});

test('a file stays that a document gets while the last one that had it goes', async () => {
  const service = await newService({ entry: HALTING, settings: { DELIVERY_PAUSE: '100' } });
  const { client } = service;
  await settle(client, { name: 'posts', files: ['picture'] });
  const [id, other] = [(await upload(client, PNG)).body.data.id, (await upload(client, PNG)).body.data.id];
  const [first, last] = [
    await client.make('posts', {}, { picture: file(id) }),
    await client.make('posts', {}, { picture: file(other) }),
  ];
  await service.halt('create', 'hold');
  const made = client.create('/resources/posts', { relationships: { picture: file(id) } });
  await expect.poll(async () => (await fetch(`${service.url}/test/waiting`)).json()).toBe(1);
  await client.delete(`/resources/posts/${first.id}`);
  await client.delete(`/resources/posts/${last.id}`);
  // The message of this one comes after that of the other.
  await expect.poll(async () => (await fetchContent(client, other)).status).toBe(404);
  await service.halt('create', 'free');
  expect((await made).status).toBe(201);
  expect((await fetchContent(client, id)).status).toBe(200);
  // Nobody claims it any more.
  await client.delete(`/resources/posts/${(await made).body.data.id}`);
  await expect.poll(async () => (await fetchContent(client, id)).status).toBe(404);
});
