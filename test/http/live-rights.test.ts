/**
 * Streams that are told nothing end all the same, at once, when what they rest on does: by every means there is, as a
 * WebSocket and as events. No document changes here: only the collections of credentials can have told it.
 */
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { openSocket } from '../../scripts/bench/live/socket.ts';
import { Signer } from '../../src/auth/credentials.ts';
import { applicationId } from '../../src/domain/ids.ts';
import { CORE } from '../../src/domain/types.ts';
import { TOKEN_LIFETIME } from '../../src/domain/types/facts.ts';
import { idOf } from '../support/names.ts';
import { Client, operator, type Link } from '../support/client.ts';
import { Events } from '../support/live.ts';
import {
  ACL,
  EVERY_METHOD,
  makeExternalUser,
  makeGroup,
  makeUser,
  may,
  type Person,
} from '../support/people.ts';
import { resettle, settle } from '../support/type-settings.ts';

const TYPE = 'notes';
const PATH = `/resources/${TYPE}/changes`;

interface Scene {
  readonly application: Client;
  /** With the key under which the streams are. */
  readonly by: Client;
  readonly key: Link;
  readonly ada: Person;
  readonly group: Link;
}

const EVERYTHING = may(EVERY_METHOD, '/.*', ACL);

async function sceneOf(person: (application: Client) => Promise<Person>): Promise<Scene> {
  const application = await Client.create();
  const ada = await person(application);
  const group = await makeGroup(application, [ada]);
  const { client: by, link: key } = await application.newKey([EVERYTHING]);
  await settle(application, { name: TYPE, rights: { read: ['*'] } });
  await application.make(TYPE, { name: 'a' });
  return { application, by, key, ada, group };
}

const asUser = (application: Client) => makeUser(application, 'ada');

/** The end of a stream: its code. */
async function endOfSocket({ application, key, url }: Client, headers: Person['headers']) {
  const told: string[] = [];
  const { promise: ready, resolve: isReady } = Promise.withResolvers<null>();
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const socket = await openSocket(
    url,
    PATH,
    { 'application-id': application, 'api-key': key, ...headers },
    {
      text: (read) => {
        const text = read();
        told.push(text);
        if (text.includes('"event":"ready"')) isReady(null);
      },
      close: end,
    },
  );
  await ready;
  return {
    ended,
    told,
    stop: () => {
      socket.terminate();
    },
  };
}

/** The same of events. */
async function endOfEvents(client: Client, headers: Person['headers']) {
  const events = await Events.open(client, PATH, headers);
  while ((await events.next()).event !== 'ready');
  const ended = (async () => {
    for (;;) {
      const { data, event } = await events.next();
      if (event === 'end') return (data as { readonly code: number }).code;
    }
  })();
  return { ended };
}

const change = (by: Client, { type, id }: Link, attributes: object) =>
  by.patch(`/${type === 'core.api-key' ? 'api-keys' : 'users'}/${type}/${id}`, {
    data: { type, id, attributes },
  });

const permissions = (...acl: object[]) => ({
  permissions: acl.map((each) => ({ ...EVERYTHING, acl: { active: true, ...each } })),
});

const ends: [what: string, end: (scene: Scene) => Promise<unknown>, code: number, person?: typeof asUser][] =
  [
    [
      'the user logs out',
      ({ ada, application }) => application.delete('/users/core.user.token/me', undefined, ada.headers),
      4401,
    ],
    [
      'the password changes',
      ({ ada, application }) => change(application, ada.link, { password: 'another one' }),
      4401,
    ],
    ['the user is changed', ({ ada, application }) => change(application, ada.link, { note: 1 }), 4401],
    [
      'the user is deleted',
      ({ ada, application }) => application.delete(`/users/core.user/${ada.link.id}`),
      4401,
    ],
    [
      'an external user is changed',
      ({ ada, application }) => change(application, ada.link, { note: 1 }),
      4401,
      makeExternalUser,
    ],
    [
      'an external user logs out',
      ({ ada, application }) =>
        application.delete('/users/core.external-user.token/me', undefined, ada.headers),
      4401,
      makeExternalUser,
    ],
    [
      'the user leaves a group',
      ({ application, group }) =>
        application.update(`/users/core.user-group/${group.id}`, { relationships: { users: { data: [] } } }),
      4410,
    ],
    [
      'the group is deleted',
      ({ application, group }) => application.delete(`/users/core.user-group/${group.id}`),
      4410,
    ],
    ['the user enters a group', ({ ada, application }) => makeGroup(application, [ada]), 4410],
    [
      'the endpoint access list has the user',
      ({ ada, application, key }) =>
        change(
          application,
          key,
          permissions({ 'endpoint-access-list-flavor': 'black', 'endpoint-access-list': [ada.link] }),
        ),
      4403,
    ],
    [
      'the document access list has the user',
      ({ ada, application, key }) =>
        change(application, key, permissions({ 'document-access-list': [ada.link] })),
      4410,
    ],
    [
      'the key permits something else',
      ({ application, key }) => change(application, key, permissions({}, {})),
      4410,
    ],
    [
      'the key permits nothing',
      ({ application, key }) => change(application, key, { permissions: [] }),
      4403,
    ],
    [
      'the key is deleted',
      ({ application, key }) => application.delete(`/api-keys/core.api-key/${key.id}`),
      4401,
    ],
    [
      'the settings give other rights',
      ({ application }) => resettle(application, TYPE, { rights: { read: [] } }),
      4410,
    ],
    ['the application is to be deleted', ({ application }) => operator().end(application.application), 4401],
    ['the application is deleted', ({ application }) => operator().delete(application.application), 4401],
  ];

describe('a stream ends at once', () => {
  test.each(ends)('when %s', async (_, end, code, person = asUser) => {
    const scene = await sceneOf(person);
    const { ada, by } = scene;
    const socket = await endOfSocket(by, ada.headers);
    const events = await endOfEvents(by, ada.headers);
    await end(scene);
    expect(await Promise.all([socket.ended, events.ended])).toEqual([code, code]);
  });

  test('when the time of the token is over', async () => {
    const { ada, by } = await sceneOf(asUser);
    const [, token = ''] = (ada.headers['authorization'] ?? '').split(' ');
    const claims = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const [, , id = '', , , version] = claims.split('/');
    const signer = await Signer.from(inject('credentialSecrets'));
    const old = await signer.sign({
      kind: 'token',
      application: applicationId(by.application),
      id: idOf(id),
      holder: { type: CORE.user, id: idOf(ada.link.id) },
      version: Number(version),
      created: Date.now() - TOKEN_LIFETIME * 1000 + 8000,
    });
    const headers = { authorization: `Token ${old}` };
    const socket = await endOfSocket(by, headers);
    const events = await endOfEvents(by, headers);
    expect(await Promise.all([socket.ended, events.ended])).toEqual([4401, 4401]);
  });
});

describe('a stream goes on', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await sceneOf(asUser);
  });

  test('when others log out, leave groups or lose their keys', async () => {
    const { ada, application, by } = scene;
    const bob = await makeUser(application, 'bob');
    const theirs = await makeGroup(application, [bob]);
    const other = await application.create('/api-keys/core.api-key', {
      attributes: { name: 'k', permissions: [] },
    });
    const socket = await endOfSocket(by, ada.headers);
    await application.delete(`/users/core.user-group/${theirs.id}`);
    await application.delete('/users/core.user.token/me', undefined, bob.headers);
    await application.delete(`/api-keys/core.api-key/${other.body.data.id}`);
    const made = await application.make(TYPE, { name: 'b' });
    await expect.poll(() => socket.told.at(-1)).toContain(made.id);
    socket.stop();
  });
});
