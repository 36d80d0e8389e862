/** The account settings of an application (docs/accounts.md), as stored and as they hold. Without a document all is closed. */
import { isMailAddress } from '../addresses/mail.ts';
import { readId, type DocumentId } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { isList, memberOf } from '../values/tree.ts';
import type { Fields, Value } from '../values/values.ts';

/** There is one document: this is the unique value of all of them. */
export const SCOPE = { name: 'scope', value: 'application' } as const;

/** The attribute of a user who may not log in before an address is confirmed. */
export const PENDING = 'pending';

export const SIGN_UPS = ['closed', 'invited', 'open'] as const;
export const SECOND_FACTORS = ['off', 'allowed', 'required'] as const;
export const CONFIRMS = ['before-login', 'later'] as const;

export interface AccountSettings {
  /** The product, as mails call it. */
  readonly name: string;
  /** Of the ready pages, as CSS writes it; null for ours. */
  readonly colour: string | null;
  /** The address that mails come from. */
  readonly sender: string;
  readonly signUp: (typeof SIGN_UPS)[number];
  readonly confirm: (typeof CONFIRMS)[number];
  readonly logInByPassword: boolean;
  /** Whether a code from a mail logs in. */
  readonly logInByMail: boolean;
  /** Whether a code from a mail erases its user, with all that is theirs. */
  readonly eraseByMail: boolean;
  /** Whether users may have a second factor, or some must. */
  readonly secondFactor: (typeof SECOND_FACTORS)[number];
  /** Attributes that a sign-up may give, beside name, password and address. */
  readonly fields: readonly string[];
  /** Those that it must give. */
  readonly required: readonly string[];
  readonly passwordLength: number;
  /** For which a code is valid. */
  readonly minutes: number;
  /** Of a login; null for the longest. */
  readonly sessionHours: number | null;
  /** Of a token, whose login is refreshed; null where it lasts as long as the login. */
  readonly tokenMinutes: number | null;
  /** Whether browsers may keep in a cookie what refreshes a login: those with pages of the origins. */
  readonly cookies: boolean;
  /** Of pages that passkeys are for: the host of the first is their relying party. Without any, there are none. */
  readonly origins: readonly string[];
  /** Addresses that the link of a mail may lead to; the first is the default. */
  readonly returnTo: readonly string[];
}

/** Settings of stored attributes: what is missing has its default. */
export function accountSettingsOf(attributes: Fields): AccountSettings {
  const text = (name: string, without: string) => {
    const value = memberOf(attributes, name);
    return typeof value === 'string' ? value : without;
  };
  const number = (name: string, without: number) => {
    const value = memberOf(attributes, name);
    return typeof value === 'number' ? value : without;
  };
  const name = text('name', 'your account');
  return {
    name,
    colour: text('colour', '') || null,
    sender: text('sender', 'accounts@localhost.localdomain'),
    signUp: SIGN_UPS.find((each) => each === memberOf(attributes, 'sign-up')) ?? 'closed',
    confirm: CONFIRMS.find((each) => each === memberOf(attributes, 'confirm')) ?? 'before-login',
    logInByPassword: memberOf(attributes, 'log-in-by-password') !== false,
    logInByMail: memberOf(attributes, 'log-in-by-mail') === true,
    eraseByMail: memberOf(attributes, 'erase-by-mail') === true,
    secondFactor: SECOND_FACTORS.find((each) => each === memberOf(attributes, FACTOR)) ?? 'off',
    fields: textsIn(memberOf(attributes, 'fields') ?? []),
    required: textsIn(memberOf(attributes, 'required') ?? []),
    passwordLength: number('password-length', LIMITS.accountPassword),
    minutes: number('minutes', LIMITS.accountMinutes),
    sessionHours: number('session-hours', 0) || null,
    tokenMinutes: number('token-minutes', 0) || null,
    cookies: memberOf(attributes, 'cookies') === true,
    origins: textsIn(memberOf(attributes, 'origins') ?? []),
    returnTo: textsIn(memberOf(attributes, 'return-to') ?? []),
  };
}

function textsIn(value: Value | undefined): readonly string[] {
  return isList(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** An e-mail address in lower case; undefined for another text. */
export function readAddress(value: Value | undefined): string | undefined {
  return typeof value === 'string' && isMailAddress(value) ? value.toLowerCase() : undefined;
}

/** What an account action does when it is redeemed. */
export const ACTIONS = ['confirm-address', 'reset-password', 'log-in', 'erase', 'invite'] as const;

/** Begun by the service, when a confirmed address has given way to another: its mail goes to the former one. */
export const UNDO_ADDRESS = 'undo-address';

/** Begun by the service, to tell a user of a change: there is nothing to redeem. */
export const CHANGED = 'changed';
export const KINDS = [...ACTIONS, UNDO_ADDRESS, CHANGED] as const;
export type ActionKind = (typeof KINDS)[number];

/** The attribute of a user whose logins need a second factor. */
export const FACTOR = 'second-factor';

/** Actions about second factors: begun by a user, or by a login. */
export const FACTOR_ACTIONS = ['add-second-factor', 'remove-second-factor', 'second-factor'] as const;
export type FactorKind = (typeof FACTOR_ACTIONS)[number];

/** What another service proves, in the place of a mail. */
export const LOG_IN_PROVIDER = 'log-in-provider';

/** Minutes for which the code of an action is valid: some mails come to who does not expect them. */
export function minutesOf(kind: ActionKind, { minutes }: Pick<AccountSettings, 'minutes'>): number {
  return kind === 'invite' || kind === UNDO_ADDRESS ? Math.max(minutes, LIMITS.mailMinutes) : minutes;
}

/** An action, as its document says it. */
export interface AccountAction {
  readonly kind: ActionKind;
  /** The address that it is about; null where it names a user. */
  readonly email: string | null;
  readonly username: string | null;
  readonly returnTo: string | null;
  /** Of its mail (BCP 47), where that was asked for. */
  readonly language: string | null;
  /** Where its mail goes, once that is known. */
  readonly address: string | null;
  /** Who is being erased by it, or has another address. */
  readonly user: DocumentId | null;
  readonly expires: Date;
  /** How often a wrong code was sent. */
  readonly tries: number;
}

/** Undefined for what is none, or too old a form of one. */
export function accountActionOf(attributes: Fields): AccountAction | undefined {
  const kind = KINDS.find((each) => each === memberOf(attributes, 'kind'));
  const expires = memberOf(attributes, 'expires');
  const tries = memberOf(attributes, 'tries');
  const text = (name: string) => {
    const value = memberOf(attributes, name);
    return typeof value === 'string' ? value : null;
  };
  if (kind === undefined || !(expires instanceof Date)) return undefined;
  return {
    kind,
    email: text('email'),
    username: text('username'),
    returnTo: text('return-to'),
    language: text('language'),
    address: text('address'),
    user: readId(text('user') ?? '') ?? null,
    expires,
    tries: typeof tries === 'number' ? tries : 0,
  };
}
