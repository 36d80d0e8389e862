/** The types of `foredge/testing`, as its package has them (build-package.ts). */
import type { Core, Database, ForedgeError, Untyped } from '../src/client/index.ts';

export interface ForedgeOptions {
  /** The folder with `foredge.json`; without it, the application is empty. */
  readonly project?: string;
  /** True stores the documents of `foredge/seeds`. */
  readonly seed?: boolean;
  /** True gives the test a clock, and so a runtime of its own. */
  readonly clock?: boolean;
}

/** `2 days`, `90 seconds`. */
export type Duration = `${number} ${'second' | 'minute' | 'hour' | 'day' | 'week'}${'' | 's'}`;

export interface AsUser {
  readonly username: string;
  /** Of a seeded user, that of the seed. */
  readonly password?: string;
  /** The name of the API key with which the user asks; without it, rights on documents alone decide. */
  readonly key?: string;
}

/** A mail that was kept in the place of sending it. */
export type Mail = Core['core.mail']['attributes'];

/** An application that goes with its test. */
export interface TestForedge<Types = Untyped> extends AsyncDisposable {
  readonly url: string;
  readonly application: string;
  /** A key that permits everything. */
  readonly key: string;
  /** The secure-ids of the project's keys, by their names. */
  readonly keys: Readonly<Record<string, string>>;
  /** With the key that permits everything. */
  readonly client: Database<Types>;
  /** A client as a user, who is created unless there is one of this name. */
  readonly as: (user: AsUser) => Promise<Database<Types>>;
  /** The mails of the application, the latest first: to an address, or all. */
  readonly mailbox: (to?: string) => Promise<readonly Mail[]>;
  readonly clock: {
    /** Lets time pass for the service, and resolves when it has done what is due by then. */
    readonly advance: (by: Duration) => Promise<void>;
  };
  readonly stop: () => Promise<void>;
}

export type StartForedge = <Types = Untyped>(options?: ForedgeOptions) => Promise<TestForedge<Types>>;

/** Who refuses: permissions of the key and their rules, rights on documents, checks or schemas of a type. */
export type Refuser = 'key' | 'rights' | 'check' | 'schema';

/** Fails unless a request is refused with a code of docs/errors, and by whom; gives the error. */
export type Refused = (
  promise: Promise<unknown>,
  expected: {
    readonly code: string;
    readonly by?: Refuser;
    /** Of rights the name of the missing one, of checks theirs, of a rule of the key the pointer to its condition. */
    readonly which?: string;
  },
) => Promise<ForedgeError>;
