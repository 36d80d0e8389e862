/**
 * The Worker with a disk that can be full: while it is, every transaction does its work and then throws what SQLite
 * throws, and is undone by SQLite. `POST /test/full` fills it, `POST /test/empty` makes room.
 */
import './cheap-passwords.ts';
import service, { Collection as ServiceCollection } from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Session } from '../../src/index.ts';

let full = false;

export class Collection extends ServiceCollection {
  constructor(state: DurableObjectState, env: Environment) {
    const { storage } = state;
    const transactionSync = storage.transactionSync.bind(storage);
    Object.defineProperty(storage, 'transactionSync', {
      value: <T>(work: () => T): T =>
        transactionSync(() => {
          const result = work();
          if (full) throw new Error('database or disk is full: SQLITE_FULL');
          return result;
        }),
    });
    super(state, env);
  }
}

export default {
  fetch(request: Request, env: Environment, context: ExecutionContext) {
    const pathname = URL.parse(request.url)?.pathname;
    if (pathname !== '/test/full' && pathname !== '/test/empty') return service.fetch(request, env, context);
    full = pathname === '/test/full';
    return new Response(null, { status: 204 });
  },
};
