/** A page beside the service: `POST /test/mail` sends a mail as those about accounts are, and tells the outcome. */
import { keepMail } from '../../src/collection/mail/carrier.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { applicationId } from '../../src/domain/ids.ts';
import type { Mail } from '../../src/mail/mail.ts';
import { sendMail } from '../../src/mail/send.ts';

export async function mailPage(request: Request, environment: Environment): Promise<Response> {
  const { application, ...mail }: Mail & { readonly application: string } = await request.json();
  const asker = { environment, application: applicationId(application) };
  return Response.json(await sendMail(environment, mail, (kept) => keepMail(asker, kept)));
}
