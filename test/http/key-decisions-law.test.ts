/** What a key says that it would decide is what it decides, for any permissions, requests and users. */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client, NO_ID, type Link } from '../support/client.ts';
import { ask, keyed, question, told } from '../support/key-decisions.ts';
import { scaled } from '../support/long.ts';
import { grant, makeExternalUser, makeGroup, makeUser, NOBODY } from '../support/people.ts';

const trusted = await Client.create('decisions law');
const ada = await makeUser(trusted, 'ada');
const ben = await makeUser(trusted, 'ben');
const guest = await makeExternalUser(trusted);
const people = { ada, ben, guest, nobody: NOBODY };
const team = await makeGroup(trusted, [ada, guest]);
const note = await trusted.make('notes', { text: 'for the team', shared: true });
const secret = await trusted.make('notes', { text: 'for nobody', shared: false });
await grant(trusted, `/resources/notes/${note.id}`, { read: [team], update: [ada.link], delete: [] });

const identity = fc.constantFrom('ada', 'ben', 'guest', 'team');
const list = fc.uniqueArray(identity, { maxLength: 2 });
const flavor = fc.constantFrom('black', 'white');
const control = fc.record({
  active: fc.boolean(),
  'endpoint-access-list-flavor': flavor,
  'endpoint-access-list': list,
  'document-access-list-flavor': flavor,
  'document-access-list': list,
});
const permission = fc.record(
  {
    path: fc.constantFrom(
      '/resources/notes',
      '/resources/notes/[0-9a-f]{24}',
      '/resources/notes.*',
      String.raw`/users/core\.user/me`,
      '/users/.*',
      '/.*',
    ),
    methods: fc.uniqueArray(fc.constantFrom('get', 'post', 'patch', 'delete', 'bulk'), { minLength: 1 }),
    acl: control,
    where: fc.constantFrom({ shared: true }, { shared: { $ne: null } }),
  },
  { requiredKeys: ['path', 'methods'] },
);
const requests = fc.tuple(
  fc.constantFrom('GET', 'PATCH', 'DELETE'),
  fc.constantFrom('/resources/notes', 'note', 'secret', 'note acl', 'unknown', '/users/core.user/me'),
  fc.constantFrom('ada', 'ben', 'guest', 'nobody'),
);

test('what a key says that it would decide is what it decides', async () => {
  const named: Readonly<Record<string, Link | undefined>> = {
    ...{ ada: ada.link, ben: ben.link, guest: guest.link },
    team,
  };
  const paths: Readonly<Record<string, string>> = {
    note: `/resources/notes/${note.id}`,
    secret: `/resources/notes/${secret.id}`,
    'note acl': `/resources/notes.acl/${note.id}`,
    unknown: `/resources/notes/${NO_ID}`,
  };
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(permission, { maxLength: 4 }), requests, async (drafts, [method, to, who]) => {
      const permissions = drafts.map((draft) =>
        draft.acl === undefined
          ? draft
          : {
              ...draft,
              acl: {
                ...draft.acl,
                'endpoint-access-list': draft.acl['endpoint-access-list'].map((name) => named[name]),
                'document-access-list': draft.acl['document-access-list'].map((name) => named[name]),
              },
            },
      );
      const { client, id } = await keyed(trusted, permissions);
      const person = people[who];
      const path = paths[to] ?? to;
      const decision = told(await ask(trusted, id, question(method, path, person)));
      // Nothing is changed: a body of another document is refused after rights, and so is a tag that no document has.
      // The body of an ACL is looked at before rights.
      const headers = { ...person.headers, ...(method !== 'GET' && { 'if-match': '"none"' }) };
      const data = to === 'note acl' ? { type: 'notes.acl', id: note.id } : { type: 'x', id: NO_ID };
      const body = method === 'PATCH' ? { data } : undefined;
      const sent = await client.send(method, path, { headers, ...(body && { body }) });
      if (!decision.admitted) {
        seen.add('refused');
        expect(sent.body.errors).toEqual(decision.errors);
      } else if (decision.document?.granted === false) {
        seen.add('not granted');
        expect(sent.status, sent.text).toBe(403);
      } else if (decision.document?.granted === true) {
        seen.add('granted');
        expect([200, 204, 409, 412], sent.text).toContain(sent.status);
      } else {
        seen.add('admitted');
        expect(sent.status, sent.text).not.toBe(401);
        expect(sent.text).not.toContain('The API key does not permit');
      }
    }),
    { numRuns: scaled(120) },
  );
  expect([...seen].sort()).toEqual(['admitted', 'granted', 'not granted', 'refused']);
});
