/**
 * `foredge/testing`: the service in the process of a test, each time with an application of its own, as the files of a
 * project say (docs/testing.md). One runtime serves all applications of the process; its data go with it.
 */
import './older-node.ts';
import { resolve } from 'node:path';
import { connect, ForedgeError, type Database, type Untyped } from '../src/client/index.ts';
import { EVERYTHING, Operator } from './operator.ts';
import { changesBetween } from './project/changes.ts';
import { checkedProject } from './project/check.ts';
import { push } from './project/push.ts';
import { plant, readSeeds } from './project/seeds.ts';
import { Remote } from './project/target.ts';
import { startRuntime, type Runtime } from './runtime.ts';
import { newSecrets, type Secrets } from './secrets.ts';
import type { AsUser, Duration, ForedgeOptions, Mail, StartForedge, TestForedge } from './testing-types.ts';

const PASSWORD = 'a password for tests';
/** Milliseconds for which a runtime that nobody uses waits for the next test: another one takes a second. */
const IDLE = 1_000;

interface Service {
  readonly runtime: Runtime;
  readonly secrets: Secrets;
}

/** The runtime of this process, and how many applications of it are in use. */
const shared: { service: Promise<Service> | null; users: number; end: NodeJS.Timeout | undefined } = {
  service: null,
  users: 0,
  end: undefined,
};

export async function startForedge<Types = Untyped>({
  project,
  seed = false,
  clock = false,
}: ForedgeOptions = {}): Promise<TestForedge<Types>> {
  const { runtime, secrets } = await (clock ? start(true) : take());
  const end = async () => {
    if (clock) await runtime.stop();
    else release();
  };
  try {
    const { url } = runtime;
    const operator = new Operator(url, secrets.OPERATOR_SECRET);
    const { id: application, apiKey: key } = await operator.create('test');
    const remote = new Remote('test', url, application, key, secrets.OPERATOR_SECRET);
    const root = resolve(project ?? '.');
    if (project !== undefined)
      await push(remote, changesBetween(checkedProject(root).declared, [], false), { isAlone: true });
    const seeds = project !== undefined && seed ? readSeeds(root).seeds : [];
    const client = connect<Types>({ url, application, key });
    const [keys] = await Promise.all([
      project === undefined ? NO_KEYS : keysOf(remote.db),
      seeds.length > 0 && plant(remote, seeds),
    ]);
    // Most tests name a key.
    let everyone: Promise<{ readonly apiKey: string }> | undefined;
    const ofEveryone = async () => {
      everyone ??= operator.keyWith(application, 'users', [{ ...EVERYTHING, acl: { active: true } }]);
      return (await everyone).apiKey;
    };
    const passwords = new Map(
      seeds.map(({ resource }) => {
        const { username, password } = (resource['attributes'] ?? {}) as Readonly<Record<string, unknown>>;
        return [username, String(password)];
      }),
    );
    const as = async ({ username, password = passwords.get(username) ?? PASSWORD, key: name }: AsUser) => {
      const trusted = connect<object>({ url, application, key });
      await trusted.create('core.user', { username, password }).catch((error: unknown) => {
        if (!(error instanceof ForedgeError && error.code === 'value-taken')) throw error;
      });
      await trusted.login({ username, password });
      const own = name === undefined ? await ofEveryone() : keys[name];
      if (own === undefined) throw new Error(`The project has no key ${String(name)}.`);
      return connect<Types>({ url, application, key: own, token: trusted.token });
    };
    const mailbox = (to?: string) => mailsTo(remote.db, to);
    let ending: Promise<void> | undefined;
    const stop = () => (ending ??= end());
    const advance = async (by: Duration) => {
      // The clock of a runtime is that of all its applications.
      if (!clock) throw new Error('Start with {clock: true} for a clock that can be moved.');
      await runtime.advance(millisecondsOf(by));
    };
    return {
      ...{ url, application, key, keys, client, as, mailbox, clock: { advance }, stop },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

const NO_KEYS: Readonly<Record<string, string>> = {};

async function keysOf(db: Database<object>): Promise<Readonly<Record<string, string>>> {
  const all = await db.list('core.api-key').all();
  return Object.fromEntries(all.map(({ name, 'secure-id': secureId }) => [name, String(secureId)]));
}

function mailsTo(db: Database<object>, to: string | undefined): Promise<readonly Mail[]> {
  const query = { sort: '-created', ...(to !== undefined && { filter: { to } }) } as const;
  return db.list('core.mail', query).all();
}

const UNITS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

function millisecondsOf(text: string): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?) ([a-z]+?)s?$/.exec(text) ?? [];
  const each = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (each !== undefined) return Number(count) * each;
  throw new TypeError(`A duration is such as 2 days or 90 seconds, not ${text}.`);
}

async function take(): Promise<Service> {
  clearTimeout(shared.end);
  shared.users += 1;
  shared.service ??= start();
  return shared.service;
}

async function start(clock = false): Promise<Service> {
  const secrets = newSecrets();
  return {
    secrets,
    runtime: await startRuntime({
      port: 0,
      data: null,
      secrets,
      settings: { MAILBOX: 'yes' },
      clock,
      log: () => undefined,
    }),
  };
}

function release(): void {
  shared.users -= 1;
  if (shared.users > 0) return;
  shared.end = setTimeout(() => {
    const { service } = shared;
    shared.service = null;
    // One that has not started has told so already.
    void service?.then(({ runtime }) => runtime.stop()).catch(() => undefined);
  }, IDLE);
}

export { refused } from './refused.ts';

// As its users are told.
startForedge satisfies StartForedge;
