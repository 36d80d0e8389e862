/** An application with some of everything that an export must hold. */
import type { Client, Link } from './client.ts';
import { ACL, grant, makeExternalUser, makeGroup, makeUser, may, type Person } from './people.ts';
import { settle } from './type-settings.ts';

export interface RichApplication {
  readonly ada: Person;
  readonly group: Link;
  /** A document of type `note`, which links to another and to users. */
  readonly note: Link;
  readonly deleted: Link;
}

export async function makeRich(client: Client): Promise<RichApplication> {
  const settled = await settle(client, { name: 'note', unique: [['title']] });
  if (settled.status !== 201) throw new Error(settled.text);
  await put(client, '/schemas/core.schema', {
    target: 'note',
    content: { properties: { attributes: { properties: { title: { type: 'string', pattern: '^[^$]' } } } } },
  });
  await put(client, '/aggregates/core.aggregate', {
    'input-type': 'note',
    'output-type': 'agt.titles',
    pipeline: [{ filter: { n: { $gt: '$$parameters.least' } } }, { project: { id: '$id', title: '$title' } }],
    parameters: { least: { $numberLong: '0' } },
  });
  await put(client, '/api-keys/core.api-key', {
    name: 'readers',
    permissions: [
      may('get', '/resources/note', ACL),
      may('get', '/resources/open', { where: { n: { $gte: 1 } } }),
    ],
  });
  await put(client, '/users/core.account-settings', { name: 'Rich', 'sign-up': 'open', minutes: 10 });
  await put(client, '/users/core.mail-template', { name: 'log-in.de', subject: 'Komm', text: '{{link}}' });
  await put(client, '/users/core.identity-provider', {
    ...{ name: 'google', 'client-id': 'rich', 'client-secret': 'hush' },
  });
  const ada = await makeUser(client, 'ada');
  const eve = await makeExternalUser(client);
  const group = await makeGroup(client, [ada, eve]);
  const deleted = await client.make('note', { title: 'gone' });
  const kinds = {
    title: 'kinds',
    text: 'Ünï “\\"{$" \u2028',
    n: 5,
    big: 5_000_000_000,
    double: 2.5,
    date: { $date: '2020-02-29T12:00:00.001Z' },
    long: { $numberLong: '5' },
    longest: { $numberLong: '9223372036854775807' },
    decimal: { $numberDecimal: '1.10' },
    oid: { $oid: 'a'.repeat(24) },
    nothing: null,
    yes: true,
    deep: [{ a: [[], {}, [{ $date: 0 }]] }, -1, ''],
    place: { type: 'Point', coordinates: [1.5, 2] },
    1: 'first',
  };
  const one = await client.send('POST', '/resources/note', {
    // Numbers that JavaScript would write in another way.
    body: JSON.stringify({ data: { type: 'note', attributes: kinds } }).replace('2.5', '2.0,"zero":-0.0'),
  });
  if (one.status !== 201) throw new Error(one.text);
  const made = await client.make(
    'note',
    { title: 'links' },
    {
      to: { data: { type: 'note', id: one.body.data.id } },
      gone: { data: { type: 'note', id: deleted.id } },
      none: { data: null },
      readers: { data: [ada.link, eve.link, group] },
      2: { data: [] },
    },
  );
  const note = { type: 'note', id: made.id };
  await grant(
    client,
    `/resources/note/${made.id}`,
    { read: '*', update: [ada.link, group] },
    { read: [group] },
  );
  await grant(client, `/resources/note/${deleted.id}`, { read: [ada.link] });
  await client.delete(`/resources/note/${deleted.id}`);
  const everything = [may('post', '.*', ACL)];
  const under = await client.withPermissions(everything);
  const owned = await under.create('/resources/owned', {}, ada.headers);
  if (owned.status !== 201) throw new Error(owned.text);
  return { ada, group, note, deleted: { type: 'note', id: deleted.id } };
}

async function put(client: Client, path: string, attributes: unknown): Promise<void> {
  const [, , type] = path.split('/');
  const made = await client.post(path, { data: { type, attributes } });
  if (made.status !== 201) throw new Error(made.text);
}
