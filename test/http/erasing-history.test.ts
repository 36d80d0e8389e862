/** What is left of a person in the history of documents, once the person was erased (docs/operating.md). */
import { expect, test } from 'vitest';
import { erase } from '../support/app.ts';
import { Client, pathOf, type Link, type Resource } from '../support/client.ts';
import { change, listed, restore, versionOf, versionsOf } from '../support/history.ts';
import { grant, linkOf, makeUser, underAcl, type Person } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';

const made = new Map<string, Link>();
const linkTo = (name: string): Link => made.get(name) ?? { type: '', id: '' };

async function make(name: string, by: Client, headers: Person['headers'] = {}): Promise<Link> {
  const link = linkOf(await by.create('/resources/notes', { attributes: { name } }, headers));
  await change(by, link, { n: 2 }, headers);
  made.set(name, link);
  return link;
}

const client = await Client.create();
await settle(client, { name: 'notes', history: 'forever' });
const acl = await underAcl(client);
const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
await make('hers', acl, ada.headers);
await acl.delete(pathOf(await make('deleted by her', acl, ada.headers)), undefined, ada.headers);
const shared = pathOf(await make('shared', acl, ada.headers));
await grant(client, shared, { read: [eve.link], update: [eve.link] }, { update: [ada.link, eve.link] });
const trash = pathOf(await make("Eve's, deleted", acl, eve.headers));
await grant(client, trash, { read: [eve.link, ada.link], update: [ada.link] });
await acl.delete(trash, undefined, eve.headers);
const given = pathOf(await make('given to her', client));
await grant(client, given, { read: [ada.link] }, { update: [ada.link] });
await erase(client, ada.link);

test.each(['hers', 'deleted by her', 'given to her'])(
  'of a document that was %s no version is left',
  async (name) => {
    expect((await client.get(pathOf(linkTo(name)))).body.data).toBeNull();
    for (const n of [1, 2]) {
      const version = await versionOf(client, linkTo(name), n);
      expect([version.status, version.text.includes(name)]).toEqual([404, false]);
    }
  },
);

test('of a document that somebody else answers for all versions are left, without the name', async () => {
  expect(listed(await versionsOf(client, linkTo('shared'))).slice(-2)).toEqual(['2 update', '1 create']);
  const first = await versionOf(client, linkTo('shared'), 1);
  expect(first.body.data.attributes).toEqual({ name: 'shared' });
  for (const n of [1, 2])
    expect((await versionOf(client, linkTo('shared'), n)).text).not.toContain(ada.link.id);
  expect((await restore(acl, linkTo('shared'), 1, eve.headers)).status).toBe(200);
});

test('what somebody else has deleted is in the trash, and comes back without rights of the person', async () => {
  const trash = await acl.get('/resources/notes?deleted=true', eve.headers);
  expect(trash.body.data.map(({ id }: Resource & Link) => id)).toEqual([linkTo("Eve's, deleted").id]);
  expect((await restore(acl, linkTo("Eve's, deleted"), 2, eve.headers)).status).toBe(200);
  const rights = await client.get(`/resources/notes.acl/${linkTo("Eve's, deleted").id}`);
  expect([rights.text.includes(eve.link.id), rights.text.includes(ada.link.id)]).toEqual([true, false]);
});
