/**
 * The service with a clock that a test moves, for `foredge/testing`. It stands before the Worker there and nowhere
 * else: the Worker has no such thing. All code of the isolate, also of objects, asks `Date` for the time. Alarms ring
 * by the clock of the machine, so each is set as much earlier as the clock is ahead.
 */
import service, { Collection as CollectionOfService } from '../src/index.ts';
import { clock } from './moved-date.ts';
import type { Environment } from '../src/collection/rpc/environment.ts';

export { Session } from '../src/index.ts';

/** Milliseconds between two looks whether alarms have done what was due, and for all of them. */
const PAUSE = 5;
const PATIENCE = 10_000;

/** The names of objects: all storage is as old as this isolate. */
const names = new Set<string>();
/** How many alarms are at work. */
let ringing = 0;

export class Collection extends CollectionOfService {
  constructor(state: DurableObjectState, env: Environment) {
    const { id, storage } = state;
    const [getAlarm, setAlarm] = [storage.getAlarm.bind(storage), storage.setAlarm.bind(storage)];
    if (id.name !== undefined) names.add(id.name);
    Object.assign(storage, {
      getAlarm: async () => {
        const at = await getAlarm();
        return at === null ? null : at + clock.ahead;
      },
      setAlarm: (at: number | Date) => setAlarm(Number(at) - clock.ahead),
    });
    super(state, env);
  }

  /** The clock has been moved; true where the alarm is to ring now. */
  async moved(by: number): Promise<boolean> {
    const { storage } = this.ctx;
    const at = await storage.getAlarm();
    if (at === null) return false;
    if (by !== 0) await storage.setAlarm(at - by);
    return at - by <= Date.now();
  }

  override async alarm(): Promise<void> {
    ringing += 1;
    try {
      await super.alarm();
    } finally {
      ringing -= 1;
    }
  }
}

interface Moved extends Rpc.DurableObjectBranded {
  readonly moved: (by: number) => Promise<boolean>;
}

interface TestEnvironment {
  readonly COLLECTIONS: DurableObjectNamespace<Moved>;
  readonly OPERATOR_SECRET: string;
}

/** Resolves when what is due by then is done. */
async function advance(objects: DurableObjectNamespace<Moved>, by: number): Promise<void> {
  clock.ahead += by;
  const deadline = clock.now() + PATIENCE;
  const move = (each: number) =>
    Promise.all([...names].map((name) => objects.get(objects.idFromName(name)).moved(each)));
  for (let due = await move(by); due.includes(true) || ringing > 0; due = await move(0)) {
    if (clock.now() > deadline) return;
    await scheduler.wait(PAUSE);
  }
}

export default {
  ...service,
  async fetch(request: Request, env: TestEnvironment, context: ExecutionContext): Promise<Response> {
    const isOurs = request.headers.get('authorization') === `Bearer ${env.OPERATOR_SECRET}`;
    if (!isOurs || new URL(request.url).pathname !== '/clock') return service.fetch(request, env, context);
    await advance(env.COLLECTIONS, Number(await request.text()));
    return new Response(null, { status: 204 });
  },
};
