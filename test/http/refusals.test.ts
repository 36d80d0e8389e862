/** 403 says which right or permission is missing, in the same words for what is hidden and what is not there. */
import { describe, expect, test } from 'vitest';
import { settle } from '../support/attack.ts';
import { NO_ID, type Reply } from '../support/client.ts';
import { operate } from '../support/operations.ts';
import { ACL, EVERY_METHOD, may } from '../support/people.ts';

const town = await settle();
const reader = await town.service.withPermissions([
  may('get', '/resources/notes'),
  may('get post', '/resources/letters', ACL),
  may('patch', '/resources/letters', {
    acl: {
      active: true,
      'endpoint-access-list-flavor': 'white',
      'endpoint-access-list': [{ type: town.ada.type, id: town.ada.id }],
    },
  }),
]);
const ruled = await town.service.withPermissions([
  may('get patch delete', '/resources/notes/.*', { where: { title: 'public' } }),
]);

type Request = (id: string) => Promise<Reply>;

const body = (id: string, type = 'notes') => ({ data: { type, id, attributes: {} } });
const by = () => town.mallory.headers;

describe('a user who lacks a right is told which, whether or not there is a document', () => {
  const cases: [right: string, what: string, request: Request][] = [
    [
      'the right read, which its .acl, or the settings of its type, give',
      'a read',
      (id) => town.web.get(`/resources/notes/${id}`, by()),
    ],
    [
      'the right update, which its .acl, or the settings of its type, give',
      'a change',
      (id) => town.web.patch(`/resources/notes/${id}`, body(id), by()),
    ],
    [
      'the right delete, which its .acl, or the settings of its type, give',
      'a deletion',
      (id) => town.web.delete(`/resources/notes/${id}`, undefined, by()),
    ],
    [
      'the right read of its ACL, which its .acl.acl gives',
      'a read of the ACL',
      (id) => town.web.get(`/resources/notes.acl/${id}`, by()),
    ],
    [
      'the right update of its ACL, which its .acl.acl gives',
      'a change of the ACL',
      (id) => town.web.patch(`/resources/notes.acl/${id}`, body(id, 'notes.acl'), by()),
    ],
  ];
  test.each(cases)('%s: %s', async (right, _, request) => {
    const hidden = await request(town.note.id);
    const absent = await request(NO_ID);
    expect([hidden.status, hidden.body.errors[0]?.detail]).toEqual([
      403,
      `There is no such document, or the user lacks ${right}.`,
    ]);
    expect([absent.status, absent.text]).toEqual([hidden.status, hidden.text]);
  });

  test('also in operations', async () => {
    const web = await town.service.withPermissions([may(EVERY_METHOD, '/.*', ACL)]);
    const answers = await Promise.all(
      [town.note.id, NO_ID].map((id) => operate(web, [{ op: 'remove', ref: { type: 'notes', id } }], by())),
    );
    expect(answers[0]?.body.errors[0]?.detail).toContain('the right delete');
    expect(answers[1]?.text).toBe(answers[0]?.text);
  });
});

describe('a rule without a user speaks of no user', () => {
  const cases: [string, Request][] = [['a read', (id) => ruled.get(`/resources/notes/${id}`)]];
  test.each(cases)('%s', async (_, request) => {
    const hidden = await request(town.note.id);
    expect([hidden.status, hidden.body.errors[0]?.detail]).toEqual([
      403,
      'There is no such document, or the rule of the API key does not show it.',
    ]);
    expect((await request(NO_ID)).text).toBe(hidden.text);
  });
});

describe('a key that does not permit a request says what it permits at that path', () => {
  test.each([
    ['DELETE', '/resources/notes', {}, 'does not permit delete on /resources/notes. It permits get there.'],
    [
      'GET',
      `/resources/notes/${NO_ID}`,
      {},
      'It permits nothing there: the pattern of a permission must match the whole path, ' +
        'and its endpoint access list admit the user.',
    ],
    [
      'GET',
      '/users/core.user/me',
      {},
      'match the whole path, and the path with the id that me stands for, and',
    ],
    ['PUT', '/resources/notes', {}, 'No endpoint knows the method.'],
    ['DELETE', '/resources/letters', {}, 'It permits get, post and patch there.'],
  ])('%s %s', async (method, path, headers, detail) => {
    const reply = await reader.send(method, path, { headers });
    expect(reply.body.errors[0]?.detail).toContain(detail);
  });

  test('and not what it permits to others alone', async () => {
    const reply = await reader.delete('/resources/letters', undefined, town.mallory.headers);
    expect(reply.body.errors[0]?.detail).toContain('It permits get and post there.');
    const own = await reader.delete('/resources/letters', undefined, town.ada.headers);
    expect(own.body.errors[0]?.detail).toContain('It permits get, post and patch there.');
  });
});
