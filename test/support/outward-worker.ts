/** The Worker, which calls an address as it would call a webhook: `POST /test/outward?url=…` tells the status. */
import service from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Collection } from '../../src/index.ts';

export default {
  async fetch(request: Request, environment: Environment, context: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/test/outward') return service.fetch(request, environment, context);
    const send = environment.OUTWARD?.fetch.bind(environment.OUTWARD) ?? fetch;
    const status = await send(searchParams.get('url') ?? '', { method: 'POST', body: '{}' }).then(
      (answer) => String(answer.status),
      () => 'not reached',
    );
    return new Response(status);
  },
};
