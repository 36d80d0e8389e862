/** Credentials are tried before the dashboard uses them. Each throws why they are refused. */
import { ForedgeError } from '../../client/errors.ts';
import { connect } from '../../client/index.ts';
import { Transport } from '../../client/transport.ts';
import type { Application, User } from './credentials.ts';
import { BASE, pathOfApplications } from './service.ts';

interface Login {
  readonly username: string;
  readonly password: string;
}

/** A key that may see little is as good as one that may see all: 401 alone says that there is no such key. */
export async function tryKey({ id, key }: Application): Promise<void> {
  const transport = new Transport({ url: BASE, application: id, key, retries: 1 });
  await transport.send('GET', '/resources').catch(refusedOnly);
}

export async function logIn({ id, key }: Application, login: Login): Promise<User> {
  const db = connect({ url: BASE, application: id, key, retries: 1 });
  const who = await db.login(login);
  return { ...who, name: login.username, token: db.token ?? '' };
}

export async function trySecret(secret: string): Promise<void> {
  const transport = new Transport({ url: BASE, retries: 1 });
  transport.authorization = `Bearer ${secret}`;
  await transport.send('GET', pathOfApplications(), { query: 'page[limit]=1' });
}

/** A key that asks for a user's token (`token-required`) is one that the service knows. */
function refusedOnly(error: unknown): void {
  if (!(error instanceof ForedgeError)) throw error;
  if (error.status === 0 || error.status >= 500) throw error;
  if (error.status === 401 && error.code !== 'token-required') throw error;
}
