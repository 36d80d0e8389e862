/**
 * Who may do what with a document whose rights all come through a link: the matrix of rights-matrix.test.ts again, and
 * under a key whose rules look at the linked document.
 */
import { describe, expect, test } from 'vitest';
import { Client, to, type Link } from '../support/client.ts';
import { EVERY_METHOD, grant, may, underAcl } from '../support/people.ts';
import { makeCast, PEOPLE, rowsOf, share, type Row } from '../support/rights-matrix.ts';
import { settle } from '../support/type-settings.ts';

const messageIn = (channel: Link) => trusted.make('messages', { text: 'made' }, { channel: to(channel) });

const trusted = await Client.create();
const cast = await makeCast(trusted);
const web = await underAcl(trusted);
const through = ['$channel'];
const rights = { read: through, update: through, delete: through };
await settle(trusted, {
  name: 'messages',
  rights: { ...rights, 'super-read': through, 'super-update': through, create: ['$channel.update'] },
});
const [open, closed] = [
  await trusted.make('channels', { closed: false }),
  await trusted.make('channels', { closed: true }),
];
for (const { id } of [open, closed]) await share(trusted, cast, `/resources/channels/${id}`);
const rule = { 'channel.closed': false };
const ruled = await trusted.withPermissions([
  may(EVERY_METHOD, '/.*', { acl: { active: true }, where: rule, check: rule }),
]);

/** What each person is answered, with a message of its own where the row takes it away. */
async function statusesOf(client: Client, channel: Link, [, method, path, body]: Row): Promise<string> {
  let message = await messageIn(channel);
  const found: string[] = [];
  for (const name of PEOPLE) {
    if (method === 'DELETE') message = await messageIn(channel);
    const options = { headers: cast.people[name].headers, ...(body !== null && { body: body(message.id) }) };
    found.push(String((await client.send(method, path(message.id), options)).status));
  }
  return found.join(' ');
}

const created = async (client: Client, channel: Link) => {
  const data = { type: 'messages', attributes: {}, relationships: { channel: to(channel) } };
  const found: number[] = [];
  for (const name of PEOPLE) {
    found.push((await client.post('/resources/messages', { data }, cast.people[name].headers)).status);
  }
  return found.join(' ');
};

const ROWS = rowsOf('/resources/messages', 'messages').map((row) => [row[0], row] as const);
/** nobody owner reader updater deleter superReader superUpdater member former external other */
const CREATE = '401 201 403 201 403 403 403 403 403 403 403';
const REFUSED = '401 403 403 403 403 403 403 403 403 403 403';

describe('all rights come through the channel', () => {
  test.each(ROWS)('to %s needs the right on it', async (_title, row) => {
    expect(await statusesOf(web, open, row)).toBe(row[4]);
  });

  test('to create needs the right that create names', async () => {
    expect(await created(web, open)).toBe(CREATE);
  });
});

describe('under a key that asks for open channels', () => {
  test.each(ROWS)('to %s needs the right, in an open one', async (_title, row) => {
    expect(await statusesOf(ruled, open, row)).toBe(row[4]);
  });

  test.each(ROWS)('nobody may %s in a closed one', async (_title, row) => {
    expect(await statusesOf(ruled, closed, row)).toBe(REFUSED);
  });

  test('a message is made in an open one, and in no closed one', async () => {
    expect([await created(ruled, open), await created(ruled, closed)]).toEqual([CREATE, REFUSED]);
  });

  test('lists, counts and includes show and count those in open ones alone', async () => {
    const messages = [await messageIn(open), await messageIn(closed)];
    const pin = await trusted.make(
      'pins',
      {},
      { of: { data: messages.map(({ type, id }) => ({ type, id })) } },
    );
    const [shown] = messages;
    const pins = await trusted.withPermissions([
      may('get', '/resources/pins.*'),
      may('get', '/resources/messages.*', { acl: { active: true }, where: { 'channel.closed': false } }),
    ]);
    for (const name of PEOPLE.slice(1)) {
      const { headers } = cast.people[name];
      const reads = ['owner', 'reader', 'member', 'external'].includes(name);
      const list = await pins.get('/resources/messages?page[size]=1&sort=-id', headers);
      expect(
        list.body.data.map(({ id }) => id),
        name,
      ).toEqual(reads ? [shown?.id] : []);
      const all = await trusted.get(
        `/resources/messages?filter[*]=${JSON.stringify({ 'channel.closed': false })}`,
      );
      expect(list.body.meta.count, name).toBe(reads ? all.body.meta.count : 0);
      const included = await pins.get(`/resources/pins/${pin.id}?include=of`, headers);
      expect(
        included.body.included.map(({ id }) => id),
        name,
      ).toEqual(reads ? [shown?.id] : []);
    }
  });

  test('who may read a message and not its channel reads it by the channel all the same', async () => {
    const { link, headers } = cast.people.other;
    const found: number[] = [];
    for (const channel of [open, closed]) {
      const path = `/resources/messages/${(await messageIn(channel)).id}`;
      await grant(trusted, path, { read: [link] });
      found.push((await ruled.get(path, headers)).status);
    }
    found.push((await web.get(`/resources/channels/${open.id}`, headers)).status);
    expect(found).toEqual([200, 403, 403]);
  });
});
