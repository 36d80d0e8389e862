/**
 * Every setting of the Worker but its secrets: names, what values may be, what holds without one. Nothing else reads
 * the variables of the environment, and `npm start` takes the same ones from its own. Secrets: credential-secrets.ts.
 */
import { LIMITS } from '../limits.ts';
import { readSmtpServer, type SmtpServer } from '../addresses/smtp.ts';
import { recall } from '../caching/recall.ts';

/** What lines of the log have only where a setting asks for it: names and addresses may be those of people. */
const LOG_FIELDS = ['key-name', 'bytes', 'address'] as const;

export type LogField = (typeof LOG_FIELDS)[number];

export interface Setting<T> {
  /** What it is, for the docs. */
  readonly meaning: string;
  /** What holds when it is not set, in words. */
  readonly without: string;
  readonly absent: T;
  readonly form: string;
  /** The value that a text says; undefined where it says none. */
  readonly read: (text: string) => T | undefined;
  /** True where a text may hold a password: no message repeats it. */
  readonly secret?: true;
}

export const SETTINGS = {
  CORS_ORIGINS: setting<ReadonlySet<string> | null>({
    meaning: 'origins that browsers may call from, comma-separated',
    without: '`*`: any',
    absent: null,
    form: 'origins such as https://app.example.com, separated by commas, or *',
    read: readOrigins,
  }),
  PUBLIC_URL: setting<string | null>({
    meaning: 'the address in `links` and `Location`, with or without a path',
    without: 'the `Host` header of each request',
    absent: null,
    form: 'an http or https address without query, fragment and password',
    read: readPublicUrl,
  }),
  CLIENT_ADDRESS_HEADER: setting<string | null>({
    meaning: "the header in which your proxy sends the client's address",
    without: 'none; `wrangler.toml` sets `CF-Connecting-IP`',
    absent: null,
    form: 'the name of a header',
    read: (text) => (/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text) ? text : undefined),
  }),
  LOGIN_FAILURES_BY_USER: count('failed logins of a user name a minute', 10, [1, 10_000]),
  LOGIN_FAILURES_BY_ADDRESS: count(
    'the same of a client address; of IPv6, of a network of 64 bits',
    100,
    [1, 10_000],
  ),
  BODY_DEADLINE: count('milliseconds to send a body', LIMITS.bodyDeadline, [1, LIMITS.bodyDeadline]),
  FILE_BYTES: count('bytes of a file', LIMITS.file, [1, 999_999_999]),
  ANSWER_PATIENCE: count(
    'milliseconds that a large answer waits for its reader',
    LIMITS.answerPatience,
    [1, 600_000],
  ),
  OBJECTS_AT_ONCE: setting<number | null>({
    meaning: 'collections in use within 15 seconds in one process',
    without: 'any; `npm start`: [by open files](#a-full-disk-and-many-collections)',
    absent: null,
    ...wholeNumber(10, 1_000_000),
  }),
  SESSION_LEASE: count(
    'milliseconds for which a session relies on its tokens and groups; a change that cannot reach it waits so long',
    LIMITS.sessionLease,
    [100, LIMITS.sessionLease],
  ),
  LOST_COLLECTIONS: setting<ReadonlySet<string>>({
    meaning: '[lost](#lost-data) collections that start empty: `<application>/<type>`, comma-separated',
    without: 'none',
    absent: new Set(),
    form: 'names like 0123456789abcdef01234567/articles, separated by commas',
    read: readCollections,
  }),
  WEBHOOKS_TO_PRIVATE: yesOrNo(
    '`yes`, for development: webhooks may call private networks, and by http',
    'no',
  ),
  SMTP_URL: setting<SmtpServer | null>({
    meaning:
      'the server that sends [mail](#mail); a secret. ' +
      '`smtps://user:password@host:465`, or `smtp://host:25` without TLS and login',
    without: 'none',
    absent: null,
    form: 'an address such as smtps://user:password@mail.example.com:465; smtp:// takes no login',
    read: readSmtpServer,
    secret: true,
  }),
  MAILBOX: yesOrNo(
    '`yes`, for development: [mail](#mail) that nothing else sends is kept as documents',
    'no; `npm start`: yes',
  ),
  DELIVERY_PAUSE: count(
    'milliseconds before the second try of a delivery to a webhook; ' +
      'each pause is four times the last, half a day at most',
    5_000,
    [1, 3_600_000],
  ),
  DELIVERY_TRIES: count('tries of a delivery to a webhook', 10, [1, 100], '10: a day and a half'),
  DELETION_GRACE: count(
    'seconds in which you can undelete an application',
    604_800,
    [1, 31_536_000],
    '604800: seven days',
  ),
  BACKUP_HOURS: count('hours between two backups of an application', 24, [1, 8_760]),
  BACKUP_DAYS: count('days for which a backup is kept; the last one stays longer', 30, [1, 36_500]),
  LOG_FIELDS: setting<ReadonlySet<LogField>>({
    meaning: 'more fields in the [log](#logs), comma-separated: `key-name`, `bytes`, `address`',
    without: 'none',
    absent: new Set(),
    form: `any of ${LOG_FIELDS.join(', ')}, separated by commas`,
    read: readLogFields,
  }),
  USAGE_DELAY: count(
    'milliseconds for which counts of requests are collected; 0 counts none',
    10_000,
    [0, 25_000],
  ),
  LOG_PERCENT: count(
    'percent of requests that the log has; 5xx always',
    100,
    [0, 100],
    '100; `wrangler.toml` sets 10',
  ),
  LOG_DELAY: count(
    'milliseconds for which lines of the log are collected',
    0,
    [0, 10_000],
    '0; 50 under `npm start`',
  ),
};

export type SettingName = keyof typeof SETTINGS;

/** `CORS_ORIGINS` as `corsOrigins`. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>;

/** Each setting as its row in the table reads it. */
export type Settings = {
  readonly [Name in SettingName as Camel<Name>]: (typeof SETTINGS)[Name]['absent'];
};

/** Variables by their names; what is no text is a binding, and no setting. */
export type Variables = object;

/** The settings of an environment. Throws, with a message for the operator, when one of them is wrong. */
export function readSettings(variables: Variables): Settings {
  const value = (name: string, { absent, form, read, secret }: Setting<unknown>): unknown => {
    const text = textOf(variables, name);
    if (text === undefined) return absent;
    const said = read(text);
    if (said === undefined) {
      const not = secret === true ? '' : `, not ${text}`;
      throw new Error(`The setting ${name} must be ${form}${not}.`);
    }
    return said;
  };
  const camel = (name: string) =>
    name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const entries = Object.entries(SETTINGS).map(([name, row]) => [camel(name), value(name, row)] as const);
  // No type says that entries of a table are the object of its rows.
  return Object.fromEntries(entries) as Settings;
}

const known = new WeakMap<Variables, Settings>();

/** The same, read once per environment, which lives as long as its isolate. */
export function settingsOf(environment: Variables): Settings {
  return recall(known, environment, readSettings);
}

/** The texts of all settings that an environment has: what one process hands to another. */
export function settingTexts(variables: Variables): Readonly<Record<string, string>> {
  const names = Object.keys(SETTINGS);
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = textOf(variables, name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** An empty text is none: so shells and files of variables say that something is not set. */
function textOf(variables: Variables, name: string): string | undefined {
  const text: unknown = Reflect.get(variables, name);
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** Keeps the type of its value in the table. */
function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

function yesOrNo(meaning: string, without: string): Setting<boolean> {
  return {
    meaning,
    without,
    absent: false,
    form: 'yes or no',
    read: (text) => (text === 'yes' ? true : text === 'no' ? false : undefined),
  };
}

/** A whole number with a default, which the docs say in other words where `without` has them. */
function count(
  meaning: string,
  absent: number,
  [least, most]: readonly [number, number],
  without = String(absent),
): Setting<number> {
  return { meaning, without, absent, ...wholeNumber(least, most) };
}

function wholeNumber(least: number, most: number): Pick<Setting<number>, 'form' | 'read'> {
  return {
    form: `a whole number from ${least} to ${most}`,
    read: (text) => {
      const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : NaN;
      return number >= least && number <= most ? number : undefined;
    },
  };
}

/** Browsers send origins in one way of writing; another would never be met. Apps have schemes of their own. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/;

function readOrigins(text: string): ReadonlySet<string> | null | undefined {
  const origins = text.split(',').map((each) => each.trim());
  if (origins.includes('*')) return null;
  const isOrigin = (each: string) =>
    ORIGIN.test(each) && (!/^https?:/.test(each) || URL.parse(each)?.origin === each);
  return origins.every(isOrigin) ? new Set(origins) : undefined;
}

function readCollections(text: string): ReadonlySet<string> | undefined {
  const names = text.split(',').map((each) => each.trim());
  return names.every((each) => /^[^/\s]+\/[^/\s]+$/.test(each)) ? new Set(names) : undefined;
}

function readLogFields(text: string): ReadonlySet<LogField> | undefined {
  const fields = text.split(',').map((each) => LOG_FIELDS.find((name) => name === each.trim()));
  return fields.includes(undefined) ? undefined : new Set(fields.filter((name) => name !== undefined));
}

function readPublicUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
