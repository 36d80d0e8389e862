/**
 * Attacks by path: ways of writing one that could slip past a permission, past ACL, or into the service's own types.
 * The bytes go out as written; no client library tidies them up.
 */
import { describe, expect, test } from 'vitest';
import { requestText, sendRaw, settle } from '../support/attack.ts';
import { NO_ID, type Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, may } from '../support/people.ts';

const town = await settle();
/** May read what is public, and nothing else. */
const visitor = await town.service.withPermissions([may('get', '/resources/public(/.*)?')]);

const fill = (path: string) =>
  path
    .replaceAll('{note}', town.note.id)
    .replaceAll('{ada}', town.ada.id)
    .replaceAll('{mallory}', town.mallory.id);

const raw = async (client: Client, method: string, path: string, lines: readonly string[] = []) =>
  (await sendRaw(client.url, requestText(client, method, fill(path), { lines }))).status;

const asMallory = () => [`Authorization: ${town.mallory.headers.authorization}`];

describe('a permission for one folder is none for another, however the path is written', () => {
  test.each([
    ['/resources/notes/{note}', 403],
    ['/resources/public/../notes/{note}', 403],
    ['/resources/public/%2e%2e/notes/{note}', 403],
    ['/resources/public/.%2E/notes/{note}', 403],
    ['/resources/public/..%2fnotes/{note}', 404],
    ['/resources/public%2f..%2fnotes/{note}', 403],
    ['/resources/public/..\\notes\\{note}', 403],
    ['/resources/public/..%5cnotes%5c{note}', 404],
    ['/resources/public/%252e%252e/notes/{note}', 404],
    ['/resources/public/%c0%ae%c0%ae/notes/{note}', 400],
    ['/resources/public/%u002e%u002e/notes', 400],
    ['/resources/public/．．/notes', 400],
    ['/resources/public/%ef%bc%8e%ef%bc%8e/notes/{note}', 404],
    ['/resources/public/..;/notes/{note}', 404],
    ['/resources/public;/../notes/{note}', 403],
    ['/resources/public/;x=/../../notes/{note}', 403],
    ['/resources/public%00/../notes/{note}', 403],
    ['/resources/public/%00/notes', 404],
    ['/resources/public/\t../notes/{note}', 400],
    ['/resources/public?/../../notes/{note}', 400],
    ['/resources/public%3f/../notes/{note}', 403],
    ['/resources/public%23/../notes/{note}', 403],
    ['/resources/public#/../notes/{note}', 200],
    ['/resources/notes%2f{note}?/resources/public', 403],
    ['/resources/notes/{note}/resources/public', 403],
    ['/resources/notes/{note}%0a/resources/public', 403],
    ['//resources/public/../notes/{note}', 403],
    ['/./resources/./notes/./{note}', 403],
    ['/RESOURCES/notes/{note}', 403],
    ['/resources/PUBLIC', 403],
    ['/resources/publiс', 403],
    ['/resources/publi%D1%81', 403],
    ['/resources/public%20', 403],
    ['/resources/public.', 403],
    ['/resources/public/', 404],
    ['/resources/public//', 404],
    ['resources/notes/{note}', 400],
    ['*', 400],
    ['http://elsewhere.example/resources/notes/{note}', 403],
  ])('GET %s: %i', async (path, status) => {
    expect(await raw(visitor, 'GET', path)).toBe(status);
  });

  test('a permitted path is the same path in any of its ways of writing', async () => {
    for (const path of [
      '/resources/%70ublic',
      '/x/../resources/public',
      '/resources\\public',
      '/resources/public',
    ]) {
      expect(await raw(visitor, 'GET', path)).toBe(200);
    }
  });
});

describe("a way of writing an id or a type is no way to another's document", () => {
  test.each([
    ['GET', '/resources/notes/{note}', 403],
    ['GET', '/resources/notes/{note}/', 404],
    ['GET', '/resources/notes/{note}%00', 404],
    ['GET', '/resources/notes/{note}%20', 404],
    ['GET', '/resources/notes/{note},{note}', 404],
    ['GET', '/resources/notes/{note};admin=1', 404],
    ['GET', '/resources/notes/{note}.json', 404],
    ['GET', '/resources/notes/*', 404],
    ['GET', '/resources/notes/%25', 404],
    ['GET', '/resources/notes/0', 404],
    ['GET', '/resources/notes/__proto__', 404],
    ['GET', '/resources/__proto__', 404],
    ['GET', '/resources/constructor', 200],
    ['GET', '/resources/notes%20{note}', 404],
    ['GET', '/resources/../users/core.user', 200],
    ['GET', '/resources/core.user/{ada}', 404],
    ['GET', '/resources/core%2euser/{ada}', 404],
    ['GET', '/resources/CORE.user/{ada}', 403],
    ['GET', '/resources/users%2fcore.user/{ada}', 404],
    ['GET', '/users/notes/{note}', 404],
    ['GET', '/users/core.user%2f{ada}', 404],
    ['GET', '/users/core.user/{ada}/password', 403],
    ['GET', '/users/core.user/{ada}/relationships/password', 403],
    ['GET', '/users/core.user.token', 405],
    ['GET', '/users/core.user.token/{note}', 405],
    ['GET', '/users/core.api-key', 404],
    ['GET', '/api-keys/core.user/{ada}', 404],
    ['GET', '/api-keys/core.api-key/{ada}', 403],
    ['GET', '/resources/core.type', 404],
    ['GET', '/users/core.type', 404],
    ['GET', '/resources/core.application', 404],
    ['GET', '/users/core.application/{ada}', 404],
    ['GET', '/resources/agt.notes', 404],
    ['DELETE', '/resources/notes', 405],
    ['DELETE', '/users/core.user', 405],
    ['PATCH', '/users/core.user.token/{note}', 405],
    ['DELETE', '/resources/notes/{note}', 403],
    ['DELETE', '/users/core.user/{ada}', 403],
  ] as const)('%s %s: %i', async (method, path, status) => {
    expect(await raw(town.web, method, path, asMallory())).toBe(status);
  });
});

describe('me is an id in one place only', () => {
  test.each([
    ['GET', '/users/core.user/me', 200],
    ['GET', '/users/core.user/%6d%65', 200],
    ['GET', '/users/core.user/ME', 404],
    ['GET', '/users/core.user/me/', 404],
    ['GET', '/users/core.user/me%20', 404],
    ['GET', '/users/core.user/me/../{ada}', 403],
    ['GET', '/users/core.user/{ada}/../me', 200],
    ['GET', '/users/core.user/me/relationships/x', 404],
    ['GET', '/users/core.user.acl/me', 404],
    ['GET', '/users/core.user-group/me', 404],
    ['GET', '/users/core.external-user/me', 403],
    ['GET', '/users/core.external-user.token/me', 403],
    ['DELETE', '/users/core.external-user/me', 403],
    ['GET', '/resources/me', 200],
    ['GET', '/resources/notes/me', 404],
    ['GET', '/me/core.user/{ada}', 403],
    ['GET', '/api-keys/core.api-key/me', 404],
    ['POST', '/users/core.user/me', 405],
  ] as const)('%s %s: %i', async (method, path, status) => {
    expect(await raw(town.web, method, path, asMallory())).toBe(status);
  });

  test('it needs a permission as me and as the id', async () => {
    const permission = (path: string) => [may('get', path, ACL)];
    const cases: [string, number][] = [
      ['/users/core\\.user/me', 403],
      ['/users/core\\.user/[0-9a-f]{24}', 403],
      [`/users/core\\.user/(me|${town.ada.id})`, 403],
      [`/users/core\\.user/(me|${town.mallory.id})`, 200],
    ];
    for (const [path, status] of cases) {
      const client = await town.service.withPermissions(permission(path));
      expect(await raw(client, 'GET', '/users/core.user/me', asMallory())).toBe(status);
    }
    await town.keep();
  });
});

describe('the rights of a document are at one address', () => {
  test.each([
    ['/resources/notes.acl/{note}', 403],
    ['/resources/notes.acl.acl/{note}', 403],
    ['/resources/notes.acl.acl.acl/{note}', 404],
    ['/resources/notes.acl.acl.acl.acl/{note}', 404],
    ['/resources/notes.ACL/{note}', 403],
    ['/resources/.acl/{note}', 404],
    ['/resources/.acl.acl/{note}', 404],
    ['/resources/notes..acl/{note}', 403],
    ['/resources/acl/{note}', 403],
    ['/resources/notes.acl', 404],
    ['/resources/notes%2eacl/{note}', 403],
    ['/resources/notes/{note}.acl', 404],
    ['/resources/notes/{note}/acl', 403],
    ['/resources/core.user.acl/{ada}', 404],
    ['/users/notes.acl/{note}', 404],
    ['/users/core.user.acl/{ada}', 403],
    ['/users/core.user.acl.acl/{ada}', 403],
    ['/users/core.api-key.acl/{ada}', 404],
    ['/users/core.application.acl/{ada}', 404],
    ['/users/core.type.acl/{ada}', 404],
    ['/api-keys/core.api-key.acl/{ada}', 403],
    ['/api-keys/core.user.acl/{ada}', 404],
    ['/applications/core.application.acl/{ada}', 401],
  ] as const)('%s: %i', async (path, status) => {
    const [, type = '', id = ''] = decodeURIComponent(fill(path)).slice(1).split('/');
    const attributes = { read: '*', update: '*', delete: '*' };
    const given = await town.web.patch(fill(path), { data: { type, id, attributes } }, town.mallory.headers);
    expect(await raw(town.web, 'GET', path, asMallory())).toBe(status);
    // Where the path is that of a relationship, it can not be changed so.
    expect(given.status).toBe(path.endsWith('/acl') ? 405 : status);
  });

  test('an ACL is no document to create, to delete, or to list', async () => {
    for (const method of ['POST', 'DELETE']) {
      const sent = await town.web.send(method, fill('/resources/notes.acl/{note}'), {
        headers: town.ada.headers,
      });
      expect(sent.status).toBe(405);
    }
    const body = { data: { type: 'notes.acl', attributes: { read: '*' } } };
    expect((await town.web.post('/resources/notes.acl', body, town.ada.headers)).status).toBe(404);
  });

  test('what a user may not know the rights of may as well not be there', async () => {
    const there = await town.web.get(fill('/resources/notes.acl/{note}'), town.mallory.headers);
    const nowhere = await town.web.get(`/resources/notes.acl/${NO_ID}`, town.mallory.headers);
    expect(there.text).toBe(nowhere.text);
    expect(faultsOf(there)).toEqual(['403 forbidden']);
  });
});

test('after all of this nothing is changed, and Ada reads her note', () => town.expectUntouched());
