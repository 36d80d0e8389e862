/** Mails about accounts: the template that an application has for one, or the built-in one, with what the mail is about. */
import { minutesOf, type AccountSettings } from '../../domain/accounts/settings.ts';
import type { Codes } from '../../domain/accounts/codes.ts';
import {
  BUILT_IN,
  filled,
  namesFor,
  templateOf,
  type MailKind,
  type Values,
} from '../../domain/accounts/templates.ts';
import { CORE } from '../../domain/types.ts';
import { type Mail, failed, type Sent } from '../../mail/mail.ts';
import type { Asker } from '../rpc/client-reads.ts';
import { collectionOf } from '../rpc/client.ts';

interface Composing {
  readonly kind: MailKind;
  readonly to: string;
  readonly settings: AccountSettings;
  readonly username: string | null;
  readonly language: string | null;
  /** Absent where there is nothing to prove. */
  readonly codes?: Codes;
  /** The address that redeems the action, if the application has one. */
  readonly link?: string | null;
}

export async function composed(asker: Asker, composing: Composing): Promise<Mail> {
  const { kind, to, settings, username, language, codes, link } = composing;
  const values: Values = {
    name: settings.name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim(),
    address: to,
    ...(username !== null && { username }),
    ...(link && { link }),
    ...(codes !== undefined && kind !== 'taken' && provedBy(codes, minutesOf(kind, settings))),
  };
  const template = (await ownTemplate(asker, kind, language)) ?? BUILT_IN[kind];
  return { from: settings.sender, to, ...filled(template, values) };
}

async function ownTemplate(asker: Asker, kind: MailKind, language: string | null) {
  for (const name of namesFor(kind, language)) {
    const stored = await collectionOf(asker, CORE.mailTemplate).findUnique('name', name);
    const template = stored === null ? undefined : templateOf(stored.attributes);
    if (template !== undefined) return template;
  }
  return undefined;
}

/** In minutes. */
const DAY = 1_440;

function provedBy({ short }: Codes, minutes: number): Values {
  return { code: short, validity: minutes % DAY === 0 ? `${minutes / DAY} days` : `${minutes} minutes` };
}

/** Keeps a mail in the mailbox of an application: what it would have sent, as documents that its own keys read. */
export async function keepMail(asker: Asker, { from, html, subject, text, to }: Mail): Promise<Sent> {
  const attributes = { from, to, subject, text, html, created: new Date() };
  const kept = await collectionOf(asker, CORE.mail).create({ content: { attributes, relationships: {} } });
  return kept.ok ? { state: 'delivered' } : failed('The mailbox takes no mails.');
}
