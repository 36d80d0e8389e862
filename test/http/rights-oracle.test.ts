/**
 * No oracle: for a user without rights, a document that may not be read and an id that never existed answer alike,
 * to the letter, over every endpoint; and nothing found, counted or linked tells of what is hidden.
 */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID, type Options, type Reply } from '../support/client.ts';
import { makeUser, underAcl } from '../support/people.ts';

/** The hidden document of each type. */
const hidden = new Map<string, string>();

const trusted = await Client.create();
const web = await underAcl(trusted);
const other = await makeUser(trusted, 'other');
const target = await trusted.make('targets');
const note = await trusted.make(
  'notes',
  { secret: 7, text: 'hidden word' },
  { link: { data: { type: 'targets', id: target.id } } },
);
hidden.set('notes', note.id);
const forged = note.etag;
hidden.set('core.user', (await makeUser(trusted, 'somebody')).link.id);
for (const type of ['core.user-group', 'core.external-user']) {
  hidden.set(type, (await trusted.create(`/users/${type}`)).body.data.id);
}

/** An answer without what differs from request to request, and without the id that was asked for. */
function comparable(reply: Reply, id: string): unknown {
  const headers = Object.fromEntries(
    [...reply.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  );
  return JSON.parse(JSON.stringify([reply.status, headers, reply.text]).replaceAll(id, 'ID'));
}

type Request = readonly [
  title: string,
  method: string,
  path: (base: string, type: string, id: string) => string,
  options?: (type: string, id: string) => Options,
];

const document = (base: string, _type: string, id: string) => `${base}/${id}`;
const inside = (rest: string) => (base: string, _type: string, id: string) => `${base}/${id}/${rest}`;
const acl = (suffix: string) => (base: string, _type: string, id: string) => `${base}${suffix}/${id}`;
const body =
  (suffix = '', more: object = {}) =>
  (type: string, id: string) => ({ body: { data: { type: `${type}${suffix}`, id, ...more } } });

const REQUESTS: readonly Request[] = [
  ['read', 'GET', document],
  ['head', 'HEAD', document],
  ['read with include', 'GET', (base, type, id) => `${document(base, type, id)}?include=link`],
  ['read if there is none', 'GET', document, () => ({ headers: { 'if-none-match': '*' } })],
  ['read with a tag', 'GET', document, () => ({ headers: { 'if-none-match': forged } })],
  ['change', 'PATCH', document, body()],
  [
    'change if there is one',
    'PATCH',
    document,
    (type, id) => ({ ...body()(type, id), headers: { 'if-match': '*' } }),
  ],
  [
    'change with its own tag',
    'PATCH',
    document,
    (type, id) => ({ ...body()(type, id), headers: { 'if-match': forged } }),
  ],
  [
    'change with a foreign tag',
    'PATCH',
    document,
    (type, id) => ({ ...body()(type, id), headers: { 'if-match': '"x"' } }),
  ],
  ['change with a value that is none', 'PATCH', document, body('', { attributes: { a: { $date: 'x' } } })],
  [
    'change with a link to nothing',
    'PATCH',
    document,
    body('', { relationships: { l: { data: { type: 'x', id: NO_ID } } } }),
  ],
  [
    'change with another type',
    'PATCH',
    document,
    (_type, id) => ({ body: { data: { type: 'strange', id } } }),
  ],
  ['change without a document', 'PATCH', document, () => ({ body: {} })],
  ['delete', 'DELETE', document],
  ['delete if there is one', 'DELETE', document, () => ({ headers: { 'if-match': '*' } })],
  ['read the ACL', 'GET', acl('.acl')],
  ['change the ACL', 'PATCH', acl('.acl'), body('.acl', { attributes: { read: '*' } })],
  ['change the ACL with a fault', 'PATCH', acl('.acl'), body('.acl', { attributes: { read: 5 } })],
  [
    'change the ACL with a tag',
    'PATCH',
    acl('.acl'),
    (type, id) => ({ ...body('.acl')(type, id), headers: { 'if-match': '*' } }),
  ],
  ['read the super ACL', 'GET', acl('.acl.acl')],
  ['change the super ACL', 'PATCH', acl('.acl.acl'), body('.acl.acl')],
];

const RELATIONSHIPS: readonly Request[] = ['link', 'secret', 'nothing'].flatMap((name): Request[] => [
  [`read the relationship ${name}`, 'GET', inside(`relationships/${name}`)],
  [`read what ${name} leads to`, 'GET', inside(name)],
  [`replace ${name}`, 'PATCH', inside(`relationships/${name}`), () => ({ body: { data: null } })],
  [
    `replace ${name} with a link to nothing`,
    'PATCH',
    inside(`relationships/${name}`),
    () => ({ body: { data: { type: 'x', id: NO_ID } } }),
  ],
  [`append to ${name}`, 'POST', inside(`relationships/${name}`), () => ({ body: { data: [] } })],
  [`remove from ${name}`, 'DELETE', inside(`relationships/${name}`), () => ({ body: { data: [] } })],
]);

const CASES = ['notes', 'core.user', 'core.user-group', 'core.external-user'].flatMap((type) =>
  (type === 'notes' ? [...REQUESTS, ...RELATIONSHIPS] : REQUESTS).map(
    (request) => [type, request[0], request] as const,
  ),
);

describe('an unreadable document answers as one that never existed', () => {
  test.each(CASES)('%s: %s', async (type, _title, [, method, path, options]) => {
    const base = type === 'notes' ? '/resources/notes' : `/users/${type}`;
    const ask = async (id: string) =>
      comparable(
        await web.send(method, path(base, type, id), {
          ...options?.(type, id),
          headers: { ...other.headers, ...options?.(type, id).headers },
        }),
        id,
      );
    const id = hidden.get(type) ?? '';
    expect(await ask(id)).toEqual(await ask(NO_ID));
    // And it is still there, as it was.
    expect((await trusted.get(`${base}/${id}`)).status).toBe(200);
  });
});

test('who could read a deleted document learns that it is gone, nobody else does', async () => {
  const reader = await makeUser(trusted, 'reader');
  const note = await trusted.make('notes');
  await trusted.update(`/resources/notes.acl/${note.id}`, { attributes: { read: [reader.link] } });
  await trusted.delete(`/resources/notes/${note.id}`);
  expect((await web.get(`/resources/notes/${note.id}`, reader.headers)).body.data).toBeNull();
  expect((await web.get(`/resources/notes/${note.id}`, other.headers)).status).toBe(403);
  const change = { data: { type: 'notes', id: note.id } };
  expect((await web.patch(`/resources/notes/${note.id}`, change, reader.headers)).status).toBe(404);
  expect((await web.patch(`/resources/notes/${note.id}`, change, other.headers)).status).toBe(403);
});
