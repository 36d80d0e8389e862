/** The texts of mails about accounts, in plain English. */
import {
  minutesOf,
  UNDO_ADDRESS,
  type AccountSettings,
  type ActionKind,
} from '../../domain/accounts/settings.ts';
import type { Codes } from '../../domain/accounts/codes.ts';
import type { Mail } from '../../mail/mail.ts';

interface Words {
  readonly subject: string;
  readonly before: string;
  readonly after: string;
}

/** `taken`: the address belongs to another account, and nothing can be confirmed. */
type MailKind = ActionKind | 'taken';

const WORDS: Readonly<Record<MailKind, (name: string) => Words>> = {
  'confirm-address': (name) => ({
    subject: `Confirm your address for ${name}`,
    before: `Confirm that this is your address for ${name}.`,
    after: 'If you did not sign up, ignore this mail.',
  }),
  'reset-password': (name) => ({
    subject: `Reset your password for ${name}`,
    before: `Set a new password for ${name}.`,
    after: 'If you did not ask for this, ignore this mail. Your password stays as it is.',
  }),
  'log-in': (name) => ({
    subject: `Log in to ${name}`,
    before: `Log in to ${name}.`,
    after: 'If you did not ask for this, ignore this mail. Nobody is logged in.',
  }),
  erase: (name) => ({
    subject: `Erase your account for ${name}`,
    before: `Erase your account for ${name}, with all that is yours. Nothing brings it back.`,
    after: 'If you did not ask for this, ignore this mail. Nothing is erased.',
  }),
  invite: (name) => ({
    subject: `You are invited to ${name}`,
    before: `You are invited to ${name}. Choose a name and a password.`,
    after: 'If you do not expect this, ignore this mail. There is no account for you.',
  }),
  [UNDO_ADDRESS]: (name) => ({
    subject: `Your address for ${name} was changed`,
    before: `Your account for ${name} has another address now. If that was not you, take it back, and set a new password.`,
    after: 'If it was you, ignore this mail.',
  }),
  taken: (name) => ({
    subject: `You have an account for ${name}`,
    before: `Somebody signed up for ${name} with this address, which belongs to your account already.`,
    after: 'If it was you, log in, or reset your password. Otherwise, ignore this mail.',
  }),
};

interface Composing {
  readonly kind: MailKind;
  readonly to: string;
  readonly settings: AccountSettings;
  /** Absent where there is nothing to prove. */
  readonly codes?: Codes;
  /** The address that redeems the action, if the application has one. */
  readonly link?: string;
}

export function composed({ kind, to, settings, codes, link }: Composing): Mail {
  const name = settings.name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const { subject, before, after } = WORDS[kind](name);
  const proof =
    codes === undefined ? [] : proofOf(codes, link, kind === 'taken' ? 0 : minutesOf(kind, settings));
  const text = [before, ...proof.map(({ words }) => words), after].join('\n\n');
  const html = [before, ...proof, after]
    .map((part) => (typeof part === 'string' ? escapeHtml(part) : part.html))
    .map((part) => `<p>${part}</p>`)
    .join('\n');
  return { from: settings.sender, to, subject, text, html };
}

/** In minutes. */
const DAY = 1_440;

function proofOf({ short }: Codes, link: string | undefined, minutes: number) {
  const valid = `It is valid for ${minutes % DAY === 0 ? `${minutes / DAY} days` : `${minutes} minutes`}.`;
  const typed = { words: `Your code is ${short}. ${valid}`, html: `Your code is <b>${short}</b>. ${valid}` };
  if (link === undefined) return [typed];
  const safe = escapeHtml(link);
  return [{ words: `Open this link: ${link}`, html: `<a href="${safe}">${safe}</a>` }, typed];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (each) => ESCAPES[each] ?? each);
}
