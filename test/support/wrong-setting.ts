/** The service with a setting that is wrong, as a deployment could have it: `npm start` would have refused it. */
import service from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Collection, Session } from '../../src/index.ts';

export default {
  fetch(request: Request, env: Environment, context: ExecutionContext) {
    return service.fetch(request, { ...env, CORS_ORIGINS: 'app.example.com' }, context);
  },
};
