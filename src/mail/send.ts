/**
 * Sends a mail, by SMTP or by the platform, or keeps it where neither is set up. What is no address is never sent to, whoever
 * asks.
 */
import { isMailAddress } from '../domain/addresses/mail.ts';
import { settingsOf } from '../domain/environment/settings.ts';
import { failed, type Mail, type Sent } from './mail.ts';
import { sendBySmtp } from './smtp.ts';

/** What the Worker has for mails, beside its settings. */
export interface MailEnvironment {
  /** Cloudflare's binding. */
  readonly MAIL?: SendEmail;
}

export async function sendMail(
  environment: MailEnvironment,
  mail: Mail,
  keep: (mail: Mail) => Promise<Sent>,
): Promise<Sent> {
  const wrong = [mail.to, mail.from].find((address) => !isMailAddress(address));
  if (wrong !== undefined) return failed('An address of the mail is none that mail is sent to.');
  const { mailbox, smtpUrl } = settingsOf(environment);
  try {
    if (smtpUrl !== null) return await sendBySmtp(smtpUrl, mail);
    if (environment.MAIL !== undefined) {
      await environment.MAIL.send({ ...mail });
      return { state: 'delivered' };
    }
    if (mailbox) return await keep(mail);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
  return failed('The service sends no mail: set SMTP_URL, the binding MAIL, or MAILBOX.');
}
