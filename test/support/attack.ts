/**
 * A small town to attack: Ada keeps a note that nobody else may see, Mallory has an account, both come through a web
 * client that anybody can read. A snapshot of everything stored tells whether an attack has left a trace.
 */
import { connect } from 'node:net';
import { CompactSign } from 'jose';
import { expect, inject } from 'vitest';
import { Client, type Link, type Reply } from './client.ts';
import { logIn, may } from './people.ts';

const ALL = ['get', 'post', 'patch', 'delete'];

export interface Person extends Link {
  readonly name: string;
  readonly password: string;
  /** The headers of a request by this person. */
  readonly headers: { readonly authorization: string };
  readonly token: string;
}

export interface Town {
  /** A service: may do everything, without ACL. */
  readonly service: Client;
  /** The web client: everything under ACL but the login. */
  readonly web: Client;
  readonly ada: Person;
  readonly mallory: Person;
  /** Ada's note. */
  readonly note: Link;
  /** Takes what is stored now for what no attack may change. */
  readonly keep: () => Promise<void>;
  /** Nothing has changed since, and Ada reads her note. */
  readonly expectUntouched: () => Promise<void>;
}

export async function settle(): Promise<Town> {
  const service = await Client.create('town');
  const web = await service.withPermissions([
    may('post', '/users/core\\.user\\.token'),
    { path: '/(resources|users|api-keys)/.*', methods: ALL, acl: { active: true } },
  ]);
  const [ada, mallory] = [await moveIn(service, 'ada'), await moveIn(service, 'mallory')];
  const body = { data: { type: 'notes', attributes: { title: 'private', pin: 4711 } } };
  const made = await web.post('/resources/notes', body, ada.headers);
  const note = { type: 'notes', id: made.body.data.id };
  let kept = await snapshot(service, note);
  const keep = async () => {
    kept = await snapshot(service, note);
  };
  const expectUntouched = async () => {
    expect(await snapshot(service, note)).toEqual(kept);
    expect((await web.get(`/resources/notes/${note.id}`, ada.headers)).status).toBe(200);
  };
  return { service, web, ada, mallory, note, keep, expectUntouched };
}

/** Makes a user and logs in. */
export async function moveIn(service: Client, name: string): Promise<Person> {
  const password = `${name}'s password`;
  const attributes = { username: name, password };
  const { id } = (await service.create('/users/core.user', { attributes })).body.data;
  const { body } = await logIn(service, name, password);
  const token = String(body.data.attributes?.['token']);
  return { type: 'core.user', id, name, password, token, headers: { authorization: `Token ${token}` } };
}

async function snapshot(service: Client, note: Link): Promise<unknown> {
  const paths = [
    '/resources/notes',
    `/resources/notes.acl/${note.id}`,
    `/resources/notes.acl.acl/${note.id}`,
    '/users/core.user',
    '/users/core.user-group',
    '/users/core.external-user',
    '/users/core.external-user.token',
    '/api-keys/core.api-key',
  ];
  const answers = await Promise.all(paths.map((path) => service.get(path)));
  return answers.map(({ status, body }, index) => [paths[index], status, body.meta, body.data]);
}

/** A credential with any payload, signed with the secret of the service under test. */
export async function mint(payload: string): Promise<string> {
  const [kid = '', secret = ''] = inject('credentialSecrets').split(':');
  return new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: 'HS256', kid })
    .sign(new TextEncoder().encode(secret));
}

/** What came back for bytes that no client library would send. */
export type RawReply = Pick<Reply, 'status' | 'text'>;

/** Sends bytes as they are; characters up to U+00FF are bytes. Status 0 means that the connection closed at once. */
export function sendRaw(url: string, text: string): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.end(text, 'latin1'));
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => (received += part));
    // A refusal may come as a closed connection, which is an answer, too.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const [, status = '0'] = /^HTTP\/1\.1 ([0-9]{3})/.exec(received) ?? [];
      resolve({ status: Number(status), text: received });
    });
  });
}

/** A request of a client as raw text; `lines` are further header lines. */
export function requestText(
  client: Client,
  method: string,
  target: string,
  { lines = [], body = '' }: { readonly lines?: readonly string[]; readonly body?: string } = {},
): string {
  const headers = [
    `Host: ${new URL(client.url).host}`,
    `application-id: ${client.application}`,
    `api-key: ${client.key}`,
    'Connection: close',
    ...lines,
  ];
  return `${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}
