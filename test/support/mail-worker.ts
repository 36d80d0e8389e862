/** The Worker, with the page that sends a mail. */
import './cheap-passwords.ts';
import service from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { mailPage } from './mail-page.ts';

export { Collection, Session } from '../../src/index.ts';

export default {
  fetch(request: Request, environment: Environment, context: ExecutionContext) {
    const { pathname } = new URL(request.url);
    return pathname === '/test/mail'
      ? mailPage(request, environment)
      : service.fetch(request, environment, context);
  },
};
