/** The service without the binding that makes pictures in sizes. */
import service, { Collection, Session } from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Collection, Session };

export default {
  fetch(request: Request, env: Environment, context: ExecutionContext) {
    const { IMAGES: _, ...others } = env;
    return service.fetch(request, others, context);
  },
};
