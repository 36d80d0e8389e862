/** The ways in, and out. Credentials are tried before the dashboard uses them: each throws why they are refused. */
import { connect } from '../../client/index.ts';
import { pathOf } from '../../client/paths.ts';
import { Transport } from '../../client/transport.ts';
import { isMembers, parsed, stringIn } from '../parts/fields/json.ts';
import { replaceWith } from '../route.ts';
import {
  APPLICATION,
  credentials,
  enter,
  forget,
  STORED,
  type Application,
  type User,
} from './credentials.ts';
import { ask, BASE, exchanges, operator, statusOf } from './service.ts';

interface Login {
  readonly username: string;
  readonly password: string;
}

/** The application, perhaps as a user, with the lists that its key may read: the service tells those of every key. */
export async function tryKey(application: Application, user?: User): Promise<Application> {
  const { id, key } = application;
  const transport = new Transport({ url: BASE, application: id, key, retries: 1 });
  if (user !== undefined) transport.authorization = `Token ${user.token}`;
  const answer = await transport.send('GET', '/permitted').catch(refusedOnly);
  const { lists } = (answer?.body.meta ?? {}) as Pick<Application, 'lists'>;
  return { ...application, lists };
}

export async function logIn({ id, key }: Application, login: Login): Promise<User> {
  let tokens = { token: '', refreshToken: '' as string | null };
  const onToken = (token: string | null, refreshToken: string | null) => {
    tokens = { token: token ?? '', refreshToken };
  };
  const who = await connect({ url: BASE, application: id, key, retries: 1, onToken }).login(login);
  return { ...who, name: login.username, ...tokens };
}

/** Where a login on the ready pages of accounts comes back: what was sent with it stays in the tab. */
const WAY = `${STORED} login`;

/** Goes to the ready pages, which know every way in of the application. */
export function logInOnPages({ id, key }: Application): void {
  const state = crypto.randomUUID();
  sessionStorage.setItem(WAY, JSON.stringify({ id, key, state }));
  const way = new URLSearchParams({ to: `${BASE}/dashboard`, state });
  location.assign(`${BASE}/account/${id}/${key}?${String(way)}`);
}

/** Enters whoever comes from there, logged in. Nobody else knows the state. */
export async function enterFromPages(): Promise<void> {
  const sent = new URLSearchParams(location.hash.slice(1));
  const token = sent.get('token');
  const way = parsed(sessionStorage.getItem(WAY) ?? '');
  if (token === null) return;
  // Whoever asked for it: it need not stay in the address.
  replaceWith('#/');
  if (!isMembers(way) || sent.get('state') !== way['state']) return;
  sessionStorage.removeItem(WAY);
  const application = { id: stringIn(way['id']), key: stringIn(way['key']) };
  const db = connect({ url: BASE, application: application.id, key: application.key, token });
  const me = await db.get('core.user', 'me');
  if (me === null) return;
  await enterAs(application, {
    type: me.type,
    id: me.id,
    name: stringIn(me['username']),
    token,
    refreshToken: sent.get('refresh-token'),
  });
}

/** Whoever has logged in is known: without an answer they are shown the whole menu. */
export async function enterAs(application: Application, user: User): Promise<void> {
  enter({ application: await tryKey(application, user).catch(() => application), user });
}

export async function trySecret(secret: string): Promise<void> {
  await operator(secret).send('GET', pathOf(APPLICATION), { query: 'page[limit]=1' });
}

/** A key that has sent too many requests is one that the service knows. */
function refusedOnly(error: unknown): void {
  if (statusOf(error) !== 429) throw error;
}

/** Leaves the dashboard. */
export async function leave(): Promise<void> {
  await dropKey();
  forget();
  exchanges.value = [];
  location.hash = '';
}

/** Leaves the application, for the list of all. */
export async function leaveApplication(): Promise<void> {
  await dropKey();
  const { secret } = credentials.value;
  enter(secret === undefined ? {} : { secret });
}

/** The last key of an application stays, and so does one that nobody reaches now: its name says whose it was. */
async function dropKey(): Promise<void> {
  const madeKey = credentials.value.application?.madeKey;
  if (madeKey !== undefined) await ask('DELETE', pathOf('core.api-key', madeKey)).catch(() => undefined);
}
