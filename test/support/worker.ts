/**
 * The Worker under test: the service itself, with two pages beside it. One tells how many objects were woken, how
 * many calls were made (by the Worker and by objects), and how often KV was read and written, the other the table of
 * endpoints. Nothing of the service is replaced, but KV takes no more writes and the clock stands, as at the edge.
 */
import './cheap-passwords.ts';
import service, { Collection as ServiceCollection, Session as ServiceSession } from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { ENDPOINTS } from '../../src/modules/endpoints.ts';
import { oneASecond, written } from './kv-rule.ts';
import { mailPage } from './mail-page.ts';
import { moveOn, moveOnAfter, stopClock } from './still-clock.ts';

stopClock();

const counts = { objects: 0, calls: 0, lookups: 0, writes: 0, together: 0 };

/** Whether no alarm does anything any more. */
let isSilent = false;

export class Collection extends ServiceCollection {
  constructor(state: DurableObjectState, env: Environment) {
    super(state, counted(env));
    counts.objects += 1;
  }

  override alarm(): Promise<void> {
    moveOn();
    // Else what an alarm does would be counted, too.
    return isSilent ? Promise.resolve() : super.alarm();
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
    moveOn();
    // Not every address is one: what becomes of that is for the service to say.
    const pathname = URL.parse(request.url)?.pathname;
    if (pathname === '/test/reset') {
      resets += 1;
      return new Response(null, { status: 204 });
    }
    if (pathname === '/test/silence') {
      isSilent = true;
      return new Response(null, { status: 204 });
    }
    if (pathname === '/test/counts') return Response.json(counts);
    if (pathname?.startsWith('/test/contents/') === true) return contentsUnder(pathname.slice(15), env);
    if (pathname === '/test/mail') return mailPage(request, env);
    if (pathname === '/test/written') return Response.json([...written.keys()]);
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
    // Nothing here tells where a request comes from, as the platform does.
    const country = request.headers.get('test-country');
    const told = country === null ? request : new Request(request, { cf: { country } });
    return service.fetch(told, counted(env), context);
  },
};

/** The keys of the contents of an application. */
async function contentsUnder(application: string, { FILES }: Environment): Promise<Response> {
  const { objects = [] } = (await FILES?.list({ prefix: `${application}/` })) ?? {};
  return Response.json(objects.map(({ key }) => key.slice(application.length + 1)));
}

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

/** How many of the next calls meet an object that begins anew. */
let resets = 0;

/**
 * An object's stub: one serves all calls of a request to it. On the platform, an object that begins anew (deployed,
 * moved) fails the calls under way, and their stub fails for good.
 */
function countingCalls(stub: object): object {
  let broken = false;
  return new Proxy(stub, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        counts.calls += 1;
        if (!broken && resets > 0) {
          broken = true;
          resets -= 1;
        }
        if (broken) {
          return Promise.reject(Object.assign(new Error('The object was reset.'), { retryable: true }));
        }
        moveOn();
        const made: unknown = Reflect.apply(member, object, args);
        moveOnAfter(made);
        return made;
      };
    },
  });
}

/** Reads of KV that have not ended. */
let begun = 0;

function countingLookups(namespace: KVNamespace): KVNamespace {
  return through(namespace, {
    get: () => {
      counts.lookups += 1;
      begun += 1;
      counts.together = Math.max(counts.together, begun);
    },
    put: (key) => {
      counts.writes += 1;
      oneASecond(key);
    },
  });
}

function through<T extends object>(
  target: T,
  before: Readonly<Record<string, (...args: readonly unknown[]) => void>>,
): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): Promise<unknown> =>
        Promise.resolve()
          .then((): unknown => {
            if (typeof name === 'string') before[name]?.(...args);
            return Reflect.apply(member, object, args);
          })
          .finally(() => {
            moveOn();
            if (name === 'get') begun -= 1;
          });
    },
  });
}
