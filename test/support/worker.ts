/**
 * The Worker under test: the service itself, with two pages beside it. One tells how many objects were woken, how
 * many calls were made (by the Worker and by objects), and how often KV was read and written, the other shows the table of endpoints. Nothing of the service is replaced.
 */
import service, { Collection as ServiceCollection, Session as ServiceSession } from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { ENDPOINTS } from '../../src/modules/endpoints.ts';

const counts = { objects: 0, calls: 0, lookups: 0, writes: 0 };

export class Collection extends ServiceCollection {
  constructor(state: DurableObjectState, env: Environment) {
    super(state, counted(env));
    counts.objects += 1;
  }
}

export class Session extends ServiceSession {
  constructor(state: DurableObjectState, env: Environment) {
    super(state, counted(env));
    counts.objects += 1;
  }
}

export default {
  fetch(request: Request, env: Environment, context: ExecutionContext) {
    // Not every address is one: what becomes of that is for the service to say.
    const pathname = URL.parse(request.url)?.pathname;
    if (pathname === '/test/counts') return Response.json(counts);
    if (pathname === '/test/endpoints') {
      return Response.json(
        ENDPOINTS.map(({ method, path, answers, headers, body }) => ({
          method,
          path,
          answers,
          headers,
          body,
        })),
      );
    }
    return service.fetch(request, counted(env), context);
  },
};

let wrapped: Environment | undefined;

/** The same bindings, counting what goes through them. One object per isolate, as the runtime has it. */
function counted(env: Environment): Environment {
  wrapped ??= {
    ...env,
    COLLECTIONS: countingObjects(env.COLLECTIONS),
    SESSIONS: countingObjects(env.SESSIONS),
    LOOKUPS: countingLookups(env.LOOKUPS),
    TOKENS: countingLookups(env.TOKENS),
  };
  return wrapped;
}

/** A namespace of objects whose calls are counted. */
function countingObjects<T extends object>(namespace: T): T {
  return new Proxy(namespace, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const made: unknown = Reflect.apply(member, object, args);
        return name === 'get' && typeof made === 'object' && made !== null ? countingCalls(made) : made;
      };
    },
  });
}

/** An object's stub: one serves all calls of a request to it. */
function countingCalls(stub: object): object {
  return new Proxy(stub, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        counts.calls += 1;
        return Reflect.apply(member, object, args);
      };
    },
  });
}

function countingLookups(namespace: KVNamespace): KVNamespace {
  return through(namespace, {
    get: () => {
      counts.lookups += 1;
    },
    put: () => {
      counts.writes += 1;
    },
  });
}

function through<T extends object>(target: T, before: Readonly<Record<string, () => void>>): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (typeof name === 'string') before[name]?.();
        return Reflect.apply(member, object, args);
      };
    },
  });
}
