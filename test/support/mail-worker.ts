/** The Worker, which sends a mail as those about accounts are sent: `POST /test/mail` tells what became of it. */
import service from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import type { Mail } from '../../src/mail/mail.ts';
import { sendMail } from '../../src/mail/send.ts';

export { Collection, Session } from '../../src/index.ts';

export default {
  async fetch(request: Request, environment: Environment, context: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname !== '/test/mail') return service.fetch(request, environment, context);
    const mail: Mail = await request.json();
    return Response.json(await sendMail(environment, mail));
  },
};
