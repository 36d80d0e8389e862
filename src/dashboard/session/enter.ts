/** Credentials are tried before the dashboard uses them. Each throws why they are refused. */
import { ForedgeError } from '../../client/errors.ts';
import { connect } from '../../client/index.ts';
import { pathOf } from '../../client/paths.ts';
import { Transport } from '../../client/transport.ts';
import { APPLICATION, type Application, type User } from './credentials.ts';
import { BASE } from './service.ts';

interface Login {
  readonly username: string;
  readonly password: string;
}

/** The application, with the lists that its key may read, perhaps as a user. The service tells them of every key that it knows. */
export async function tryKey(application: Application, user?: User): Promise<Application> {
  const { id, key } = application;
  const transport = new Transport({ url: BASE, application: id, key, retries: 1 });
  if (user !== undefined) transport.authorization = `Token ${user.token}`;
  const answer = await transport.send('GET', '/permitted').catch(refusedOnly);
  const { lists } = (answer?.body.meta ?? {}) as Pick<Application, 'lists'>;
  return { ...application, lists };
}

export async function logIn({ id, key }: Application, login: Login): Promise<User> {
  const db = connect({ url: BASE, application: id, key, retries: 1 });
  const who = await db.login(login);
  return { ...who, name: login.username, token: db.token ?? '' };
}

export async function trySecret(secret: string): Promise<void> {
  const transport = new Transport({ url: BASE, retries: 1 });
  transport.authorization = `Bearer ${secret}`;
  await transport.send('GET', pathOf(APPLICATION), { query: 'page[limit]=1' });
}

/** A key that has sent too many requests is one that the service knows. */
function refusedOnly(error: unknown): void {
  if (!(error instanceof ForedgeError) || error.status !== 429) throw error;
}
