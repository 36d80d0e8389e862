/** The service, with a clock that is set to and fro: `POST /test/clock?ahead=<milliseconds>`. */
import './cheap-passwords.ts';
import service, { Collection, Session } from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Collection, Session };

const { now } = Date;
let ahead = 0;

globalThis.Date = new Proxy(Date, {
  construct: (date, given, target): object =>
    Reflect.construct(date, given.length === 0 ? [now() + ahead] : given, target) as object,
  get: (date, name): unknown => (name === 'now' ? () => now() + ahead : Reflect.get(date, name)),
});

export default {
  fetch(request: Request, env: Environment, context: ExecutionContext) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/test/clock') return service.fetch(request, env, context);
    ahead = Number(searchParams.get('ahead'));
    return new Response(null, { status: 204 });
  },
};
