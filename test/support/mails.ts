/** Mails that tests let the service send. */
import type { Client } from './client.ts';

export const MAIL = {
  from: 'shop@example.com',
  to: 'ada@example.org',
  subject: 'Log in',
  text: 'Your code is 123456.',
  html: '<p>Your code is 123456.</p>',
};

/** What became of a mail of the client's application. */
export async function sendMail(
  { url, application }: Pick<Client, 'application' | 'url'>,
  mail: Partial<typeof MAIL> = {},
): Promise<{ readonly state: string; readonly failure?: string }> {
  const body = JSON.stringify({ ...MAIL, ...mail, application });
  return (await fetch(`${url}/test/mail`, { method: 'POST', body })).json();
}
