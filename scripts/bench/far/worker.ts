/**
 * The Worker as it runs where its objects are far away: each call of an object takes FAR milliseconds, half of them on
 * the way there, half on the way back. Objects are as far from each other.
 */
import service, { Collection as ServiceCollection, Session as ServiceSession } from '../../../src/index.ts';
import type { Environment } from '../../../src/collection/rpc/environment.ts';

interface Far extends Environment {
  readonly FAR: string;
}

export class Collection extends ServiceCollection {
  constructor(state: DurableObjectState, env: Far) {
    super(state, distant(env));
  }
}

export class Session extends ServiceSession {
  constructor(state: DurableObjectState, env: Far) {
    super(state, distant(env));
  }
}

export default {
  fetch: (request: Request, env: Far, context: ExecutionContext) =>
    service.fetch(request, distant(env), context),
};

let wrapped: Environment | undefined;

/** The same bindings, with distance. One object for all requests, as the runtime has it. */
function distant(env: Far): Environment {
  const way = Number(env.FAR) / 2;
  wrapped ??= {
    ...env,
    COLLECTIONS: farAway(env.COLLECTIONS, way),
    SESSIONS: farAway(env.SESSIONS, way),
  };
  return wrapped;
}

function farAway<T extends object>(namespace: T, way: number): T {
  return members(namespace, (name, call) => (...args) => {
    const made = call(...args);
    return name === 'get' && typeof made === 'object' && made !== null ? stub(made, way) : made;
  });
}

function stub<T extends object>(object: T, way: number): T {
  return members(object, (_, call) => async (...args) => {
    await scheduler.wait(way);
    const answer = await call(...args);
    await scheduler.wait(way);
    return answer;
  });
}

type Call = (...args: readonly unknown[]) => unknown;

/** An object whose methods are others, made of the original ones. */
function members<T extends object>(object: T, made: (name: string | symbol, call: Call) => Call): T {
  return new Proxy(object, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return made(name, (...args): unknown => Reflect.apply(member, target, args));
    },
  });
}
