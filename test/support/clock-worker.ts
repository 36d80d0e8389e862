/** The service, with a clock that is set to and fro: `POST /test/clock?ahead=<milliseconds>`. */
import './cheap-passwords.ts';
import { clock } from '../../scripts/moved-date.ts';
import service, { Collection, Session } from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Collection, Session };

export default {
  fetch(request: Request, env: Environment, context: ExecutionContext) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/test/clock') return service.fetch(request, env, context);
    clock.ahead = Number(searchParams.get('ahead'));
    return new Response(null, { status: 204 });
  },
};
