/**
 * The run of many sessions: many users log in, some of them log out, and every process is killed. Every other token is
 * valid then, and none of those that have ended. They are external users: a password would take a tenth of a second.
 */
import { clientOf, Starts } from '../support/starts.ts';
import type { Client, Reply } from '../support/client.ts';
import { Random } from './random.ts';
import type { Figures, Limits } from './run.ts';

const TYPE = 'core.external-user';
const ABREAST = 16;
/** One of so many logs out. */
const LEAVING = 10;

interface Session {
  readonly token: string;
  readonly id: string;
  ended: boolean;
}

export async function runSessions({
  seed,
  users,
  until,
}: Limits & { readonly users: number }): Promise<Figures> {
  const starts = await Starts.prepare();
  const random = new Random(seed);
  const sessions: Session[] = [];
  try {
    const server = await starts.run();
    const client = clientOf(server);
    await abreast(users, async () => {
      if (Date.now() < until) sessions.push(await logIn(client));
    });
    const leaving = sessions.filter(() => random.below(LEAVING) === 0);
    await abreast(leaving.length, async (n) => {
      const session = leaving[n];
      if (session === undefined) return;
      answered(await client.delete(`/users/${TYPE}.token/${session.id}`), 204);
      session.ended = true;
    });
    await server.killAll();
    const again = clientOf(await starts.run());
    await abreast(sessions.length, async (n) => {
      const { token = '', ended = false } = sessions[n] ?? {};
      answered(await again.get(`/users/${TYPE}/me`, { authorization: `Token ${token}` }), ended ? 401 : 200);
    });
    return {
      'Users with a session': sessions.length,
      'of them logged out': leaving.length,
      'Tokens asked after a kill': sessions.length,
    };
  } catch (error) {
    throw new Error(`The run of sessions of seed ${seed} failed.`, { cause: error });
  } finally {
    await starts.end();
  }
}

async function logIn(client: Client): Promise<Session> {
  const user = await client.create(`/users/${TYPE}`);
  answered(user, 201);
  const authorization = `External ${btoa(`id:${user.body.data.id}`)}`;
  const login = await client.post(`/users/${TYPE}.token`, undefined, { authorization });
  answered(login, 201);
  const { id, attributes } = login.body.data;
  return { token: String(attributes?.['token']), id, ended: false };
}

/** Does something so many times, some of them at a time. */
async function abreast(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: ABREAST }, one));
}

function answered({ status, text }: Reply, expected: number): void {
  if (status !== expected)
    throw new Error(`Answered ${status} in place of ${expected}: ${text.slice(0, 500)}`);
}
