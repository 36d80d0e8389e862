/** Templates of mails about accounts (docs/accounts.md#templates): built-in or an application's. A leaf without I/O. */
import { escapeToBuffer } from 'hono/utils/html';
import { textAt } from '../values/tree.ts';
import type { Fields } from '../values/values.ts';
import { CHANGED, KINDS, UNDO_ADDRESS, type ActionKind } from './settings.ts';

export interface Template {
  readonly subject: string;
  readonly text: string;
  /** Made of the text where it is undefined. */
  readonly html: string | undefined;
}

/** `taken`: the address belongs to another account, and nothing can be confirmed. */
export type MailKind = ActionKind | 'taken';
export const MAIL_KINDS: readonly MailKind[] = [...KINDS, 'taken'];

/** Those that prove something by a code. */
export function proves(kind: string): boolean {
  return kind !== CHANGED && kind !== 'taken';
}

/** What a template may name, between `{{` and `}}`. */
export const PLACEHOLDERS = ['name', 'username', 'address', 'code', 'link', 'validity'] as const;
export type Values = Readonly<Partial<Record<(typeof PLACEHOLDERS)[number], string>>>;

/** White space is cut off later: beside what is between, it would make the search for an end cubic. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** The names between braces. */
export function namesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name.trim());
}

export const BUILT_IN: Readonly<Record<MailKind, Template>> = {
  'confirm-address': proving(
    'Confirm your address for {{name}}',
    'Confirm that this is your address for {{name}}.',
    'If you did not sign up, ignore this mail.',
  ),
  'reset-password': proving(
    'Reset your password for {{name}}',
    'Set a new password for {{name}}.',
    'If you did not ask for this, ignore this mail. Your password stays as it is.',
  ),
  'log-in': proving(
    'Log in to {{name}}',
    'Log in to {{name}}.',
    'If you did not ask for this, ignore this mail. Nobody is logged in.',
  ),
  erase: proving(
    'Erase your account for {{name}}',
    'Erase your account for {{name}}, with all that is yours. Nothing brings it back.',
    'If you did not ask for this, ignore this mail. Nothing is erased.',
  ),
  invite: proving(
    'You are invited to {{name}}',
    'You are invited to {{name}}. Choose a name and a password.',
    'If you do not expect this, ignore this mail. There is no account for you.',
  ),
  [UNDO_ADDRESS]: proving(
    'Your address for {{name}} was changed',
    'Your account for {{name}} has another address now. If that was not you, take it back, and set a new password.',
    'If it was you, ignore this mail.',
  ),
  [CHANGED]: {
    subject: 'Your login for {{name}} was changed',
    text: [
      'The name, the password, a passkey, a login by another service or the second factor of your account ' +
        'for {{name}} was changed, or a recovery code was used.',
      'If it was you, ignore this mail. Otherwise, set a new password.',
    ].join('\n\n'),
    html: undefined,
  },
  taken: {
    subject: 'You have an account for {{name}}',
    text: [
      'Somebody signed up for {{name}} with this address, which belongs to your account already.',
      'If it was you, log in, or reset your password. Otherwise, ignore this mail.',
    ].join('\n\n'),
    html: undefined,
  },
};

function proving(subject: string, before: string, after: string): Template {
  const proof = ['Open this link: {{link}}', 'Your code is {{code}}. It is valid for {{validity}}.'];
  return { subject, text: [before, ...proof, after].join('\n\n'), html: undefined };
}

export function templateOf(attributes: Fields): Template | undefined {
  const [subject, text, html] = ['subject', 'text', 'html'].map((name) => textAt(attributes, name));
  return subject === undefined || text === undefined ? undefined : { subject, text, html };
}

/** A language (BCP 47), in small letters. */
export const LANGUAGE = '[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}';
const IS_LANGUAGE = new RegExp(`^${LANGUAGE}$`);

export const NO_LANGUAGE = 'This is no language such as de or pt-BR.';

export function isLanguage(text: string): boolean {
  return IS_LANGUAGE.test(text.toLowerCase());
}

/** The names of templates for a kind in a language, the nearest first: of the language, of its base, of all. */
export function namesFor(kind: MailKind, language: string | null): readonly string[] {
  const parts = language !== null && isLanguage(language) ? language.toLowerCase().split('-') : [];
  return [...parts.map((_, at) => `${kind}.${parts.slice(0, parts.length - at).join('-')}`), kind];
}

/** A mail of a template. A paragraph of the text that names what the mail does not have is left out. */
export function filled({ subject, text, html }: Template, values: Values) {
  const known = (name: string) => PLACEHOLDERS.find((each) => each === name);
  const valueOf = (name: string) => values[known(name) ?? 'name'] ?? '';
  const fill = (each: string, as: (name: string) => string) =>
    each.replaceAll(PLACEHOLDER, (_, name: string) => as(name.trim()));
  const paragraphs = text
    .split(/\n{2,}/)
    .filter((each) => namesIn(each).every((name) => known(name) !== undefined && valueOf(name) !== ''));
  const asHtml = (name: string) => {
    const safe = escapeHtml(valueOf(name));
    return name === 'link' ? `<a href="${safe}">${safe}</a>` : name === 'code' ? `<b>${safe}</b>` : safe;
  };
  return {
    subject: fill(subject, valueOf)
      .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
      .trim(),
    text: paragraphs.map((each) => fill(each, valueOf)).join('\n\n'),
    html:
      html === undefined
        ? paragraphs.map((each) => `<p>${fill(escapeHtml(each), asHtml)}</p>`).join('\n')
        : fill(html, (name) => escapeHtml(valueOf(name))),
  };
}

function escapeHtml(text: string): string {
  const escaped: [string] = [''];
  escapeToBuffer(text, escaped);
  return escaped[0];
}
