/**
 * The Worker, with methods of objects that can be halted, as when the process dies just then or the network stalls.
 * `POST /test/halt?method=…&how=…`: `before` throws in place of the call, `after` once it is done, `hold` lets it
 * wait, `hold-answer` does it and lets its answer wait, `hold-next` frees that and holds the next; `now-and-then` fails
 * every fifth call, each time otherwise (halts.ts), after those before `from`, which `/test/calls` counts; `free` ends
 * that, and lets all go that wait; `free-own` those of the method.
 * The method `ask <name>` is that of one session, `prepare <type>` that of one collection. The variable HALT
 * (`method how`) halts from the start. `/test/waiting` tells how many calls wait, `/test/patience?ms=…` how long
 * writes wait for lists of several types.
 */
import './cheap-passwords.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { FAULTS } from './halts.ts';
import service, { Collection as ServiceCollection, Session as ServiceSession } from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

const halts = new Map<string, string>();
/** What waits, and for which method. */
let waiting: { readonly method: string; readonly go: () => void }[] = [];

/** What becomes of the calls of a method that fails now and then, one after the other: every fifth fails. */
const NOW_AND_THEN = FAULTS.flatMap((how) => ['', '', '', '', how]);
/** The calls of each such method so far. */
const calls = new Map<string, number>();

function nextFault(method: string): string | undefined {
  const number = (calls.get(method) ?? 0) + 1;
  calls.set(method, number);
  return NOW_AND_THEN[number % NOW_AND_THEN.length];
}

/** Milliseconds for which a call or its answer is late then: others go on meanwhile. */
const LATE = 200;

async function halted<T>(method: string, call: () => T | Promise<T>, reset?: () => void): Promise<T> {
  const asked = halts.get(method);
  const how = asked === 'now-and-then' ? nextFault(method) : asked;
  if (how === 'reset before') reset?.();
  if (how === 'before') throw new Error('Halted before the call.');
  if (how === 'hold') await freed(method);
  if (how === 'late') await scheduler.wait(LATE);
  const result = await call();
  if (how === 'hold-answer') await freed(method);
  if (how === 'late answer') await scheduler.wait(LATE);
  if (how === 'reset after') reset?.();
  if (how === 'after') throw new Error('Halted after the call.');
  return result;
}

function freed(method: string): Promise<void> {
  return new Promise<void>((go) => {
    waiting.push({ method, go });
  });
}

export class Session extends ServiceSession {
  override ask(...given: Parameters<ServiceSession['ask']>) {
    const own = `ask ${this.ctx.id.name ?? ''}`;
    return halted(halts.has(own) ? own : 'ask', () => super.ask(...given));
  }

  override changed(): void | Promise<void> {
    return halted('changed', () => super.changed());
  }
}

export class Collection extends ServiceCollection {
  constructor(state: DurableObjectState, env: Environment & { readonly HALT?: string }) {
    super(state, env);
    const [method, how] = env.HALT?.split(' ') ?? [];
    if (method !== undefined && how !== undefined && !halts.has(method)) halts.set(method, how);
  }

  readonly #reset = () => {
    this.ctx.abort('Halted for good.');
  };

  override alarm() {
    return halted('alarm', () => super.alarm(), this.#reset);
  }

  override call(...given: Parameters<ServiceCollection['call']>) {
    const [{ type }, method] = given;
    const own = `${method} ${type}`;
    return halted(
      halts.get(own)?.startsWith('free') === false ? own : method,
      () => super.call(...given),
      this.#reset,
    );
  }
}

export default {
  fetch(request: Request, env: Environment, context: ExecutionContext) {
    const url = URL.parse(request.url);
    if (url?.pathname === '/test/waiting') return Response.json(waiting.length);
    if (url?.pathname === '/test/calls') return Response.json(Object.fromEntries(calls));
    if (url?.pathname === '/test/patience') {
      Object.assign(LIMITS, { transactionPatience: Number(url.searchParams.get('ms')) });
      return new Response(null, { status: 204 });
    }
    if (url?.pathname !== '/test/halt') return service.fetch(request, env, context);
    const how = url.searchParams.get('how') ?? 'free';
    const method = url.searchParams.get('method') ?? '';
    halts.set(method, how === 'hold-next' ? 'hold-answer' : how);
    const from = url.searchParams.get('from');
    if (from !== null) calls.set(method, Number(from));
    if (how.startsWith('free') || how === 'hold-next') {
      const going = waiting.filter((each) => how === 'free' || each.method === method);
      waiting = waiting.filter((each) => !going.includes(each));
      for (const { go } of going) go();
    }
    return new Response(null, { status: 204 });
  },
};
