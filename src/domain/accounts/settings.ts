/** The account settings of an application (docs/accounts.md), stored and in force. Without a document all is closed. */
import { isMailAddress } from '../addresses/mail.ts';
import { attributeOf } from '../field-names.ts';
import { readId, type DocumentId } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { CEREMONIES } from './ceremonies.ts';
import { isList, memberOf, textAt } from '../values/tree.ts';
import { isFields, type Fields, type Value } from '../values/values.ts';

/** There is one document: this is the unique value of all of them. */
export const SCOPE = { name: 'scope', value: 'application' } as const;

/** The attribute of a user who may not log in before an address is confirmed. */
export const PENDING = 'pending';

export const SIGN_UPS = ['closed', 'invited', 'open'] as const;
export const SECOND_FACTORS = ['off', 'allowed', 'required'] as const;
export const CONFIRMS = ['before-login', 'later'] as const;

type Given = Value | undefined;

const text = (value: Given, without: string) => (typeof value === 'string' ? value : without);
const number = (value: Given, without: number) => (typeof value === 'number' ? value : without);
const isOn = (value: Given) => value === true;

/** A reader of each attribute, by its name in camel case: what is missing has its default. */
const READERS = {
  /** The product, as mails call it. */
  name: (value: Given) => text(value, 'your account'),
  /** Of the ready pages, as CSS writes it; null for ours. */
  colour: (value: Given) => text(value, '') || null,
  /** The address that mails come from. */
  sender: (value: Given) => text(value, 'accounts@localhost.localdomain'),
  signUp: (value: Given) => SIGN_UPS.find((each) => each === value) ?? 'closed',
  confirm: (value: Given) => CONFIRMS.find((each) => each === value) ?? 'before-login',
  logInByPassword: (value: Given) => value !== false,
  /** Whether a code from a mail logs in. */
  logInByMail: isOn,
  /** Whether a code from a mail erases its user, with all that is theirs. */
  eraseByMail: isOn,
  /** Whether users may list what is stored of them. */
  ownData: isOn,
  /** Whether users may have a second factor, or some must. */
  secondFactor: (value: Given) => SECOND_FACTORS.find((each) => each === value) ?? 'off',
  /** Attributes that a sign-up may give, beside name, password and address. */
  fields: textsIn,
  /** Those that it must give. */
  required: textsIn,
  passwordLength: (value: Given) => number(value, LIMITS.accountPassword),
  /** For which a code is valid. */
  minutes: (value: Given) => number(value, LIMITS.accountMinutes),
  /** Of a login; null for the longest. */
  sessionHours: (value: Given) => number(value, 0) || null,
  /** Of a token, whose login is refreshed; null where it lasts as long as the login. */
  tokenMinutes: (value: Given) => number(value, 0) || null,
  /** Whether browsers may keep in a cookie what refreshes a login: those with pages of the origins. */
  cookies: isOn,
  /** Of pages that passkeys are for: the host of the first is their relying party. Without any, there are none. */
  origins: textsIn,
  /** Addresses that the link of a mail may lead to; the first is the default. */
  returnTo: textsIn,
};

export type AccountSettings = {
  readonly [Name in keyof typeof READERS]: ReturnType<(typeof READERS)[Name]>;
};

export function accountSettingsOf(attributes: Fields): AccountSettings {
  const read = Object.entries(READERS).map(([name, reader]) => [
    name,
    reader(memberOf(attributes, attributeOf(name))),
  ]);
  // No type says that entries of a table are the object of its rows.
  return Object.fromEntries(read) as AccountSettings;
}

function textsIn(value: Value | undefined): readonly string[] {
  return isList(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** An e-mail address in lower case; undefined for another text. */
export function readAddress(value: Value | undefined): string | undefined {
  return typeof value === 'string' && isMailAddress(value) ? value.toLowerCase() : undefined;
}

/** The relationships of the settings, all to groups. */
export const GROUPS_OF_SETTINGS = ['groups', 'factor-groups'] as const;

/** What an account action does when it is redeemed. */
export const ACTIONS = ['confirm-address', 'reset-password', 'log-in', 'erase', 'invite'] as const;

/** Begun by the service, when a confirmed address has given way to another: its mail goes to the former one. */
export const UNDO_ADDRESS = 'undo-address';

/** Begun by the service, to tell a user of a change: there is nothing to redeem. */
export const CHANGED = 'changed';

/** What the service begins, and no client: no limit on what these ask for holds it back. */
export const NOTICES = [UNDO_ADDRESS, CHANGED] as const;
export const KINDS = [...ACTIONS, ...NOTICES] as const;
export type ActionKind = (typeof KINDS)[number];

/** The attribute of a user whose logins need a second factor. */
export const FACTOR = 'second-factor';

/** Actions about second factors: begun by a user, or by a login. */
export const FACTOR_ACTIONS = ['add-second-factor', 'remove-second-factor', 'second-factor'] as const;
export type FactorKind = (typeof FACTOR_ACTIONS)[number];

/** What an action has that is redeemed no more. It counts for as long as it would have been good. */
export const ENDED = { tries: LIMITS.accountTries } as const;

/** What another service proves, in the place of a mail. */
export const LOG_IN_PROVIDER = 'log-in-provider';

/** Goes on with its first login, where the account needs attributes: begun by the service. */
export const SIGN_UP_PROVIDER = 'sign-up-provider';

/** Minutes for which the code of an action is valid: some mails come to who does not expect them. */
export function minutesOf(kind: ActionKind, { minutes }: Pick<AccountSettings, 'minutes'>): number {
  return kind === 'invite' || kind === UNDO_ADDRESS ? Math.max(minutes, LIMITS.mailMinutes) : minutes;
}

const ALL_KINDS = [...KINDS, ...CEREMONIES, ...FACTOR_ACTIONS, LOG_IN_PROVIDER, SIGN_UP_PROVIDER] as const;
type AnyKind = (typeof ALL_KINDS)[number];

/** An action, as its document says it; by default one that sends a mail. */
export interface AccountAction<Kind extends AnyKind = ActionKind> {
  readonly kind: Kind;
  /** The address that it is about; null where it names a user. */
  readonly email: string | null;
  readonly username: string | null;
  /** Those of one subject are counted together; of a first login, who it is at the provider. */
  readonly subject: string;
  readonly returnTo: string | null;
  /** Of its mail (BCP 47), where that was asked for. */
  readonly language: string | null;
  /** Where its mail goes, once that is known. */
  readonly address: string | null;
  /** Who is being erased by it, has another address, or has begun it; null where it says in another way who that is. */
  readonly user: DocumentId | null;
  /** Attributes of a first login, as the provider says them. */
  readonly claims: Fields;
  /** The id of the identity provider that proves it. */
  readonly provider: string | null;
  /** Of the user, when the password was right; null where nobody logs in. */
  readonly login: number | null;
  readonly expires: Date;
  /** How often a wrong code was sent. */
  readonly tries: number;
}

/** Undefined for what is none, or too old a form of one. */
export function accountActionOf(attributes: Fields): AccountAction<AnyKind> | undefined {
  const kind = ALL_KINDS.find((each) => each === memberOf(attributes, 'kind'));
  const [expires, tries, login] = ['expires', 'tries', 'version'].map((name) => memberOf(attributes, name));
  const text = (name: string) => textAt(attributes, name) ?? null;
  const claims = memberOf(attributes, 'claims') ?? null;
  if (kind === undefined || !(expires instanceof Date)) return undefined;
  return {
    kind,
    email: text('email'),
    username: text('username'),
    subject: text('subject') ?? '',
    returnTo: text('return-to'),
    language: text('language'),
    address: text('address'),
    user: readId(text('user') ?? '') ?? null,
    claims: isFields(claims) ? claims : {},
    provider: text('provider'),
    login: typeof login === 'number' ? login : null,
    expires,
    tries: typeof tries === 'number' ? tries : 0,
  };
}

/** Whether there is an action, of one of these kinds. */
export function isOf<Kind extends AnyKind, Action extends AccountAction<AnyKind>>(
  action: Action | null | undefined,
  kinds: readonly Kind[],
): action is Action & AccountAction<Kind> {
  return kinds.some((each) => each === action?.kind);
}
