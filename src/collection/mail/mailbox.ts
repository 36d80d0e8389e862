/** The mailbox of an application: what it would have sent, as documents that its own keys read. */
import { CORE } from '../../domain/types.ts';
import { failed, type Mail, type Sent } from '../../mail/mail.ts';
import type { Asker } from '../rpc/client-reads.ts';
import { collectionOf } from '../rpc/client.ts';

export async function keepMail(asker: Asker, { from, html, subject, text, to }: Mail): Promise<Sent> {
  const attributes = { from, to, subject, text, html, created: new Date() };
  const kept = await collectionOf(asker, CORE.mail).create({ content: { attributes, relationships: {} } });
  return kept.ok ? { state: 'delivered' } : failed('The mailbox takes no mails.');
}
