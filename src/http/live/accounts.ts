/**
 * As whom the streams of an object are. Streams with the same credentials share an account: it is asked for once, when
 * something is to be told, and when somebody tells of its change. Until it has been asked, nothing is sent to it.
 */
import type { Access } from '../../auth/access.ts';
import { refreshApplication } from '../../auth/applications.ts';
import { identify } from '../../auth/identify.ts';
import { authenticate, refreshKey } from '../../auth/keys.ts';
import { paced } from '../../auth/rates.ts';
import type { Environment } from '../../collection/rpc/environment.ts';
import { canonicalPath } from '../../domain/addresses/canonical.ts';
import { recall } from '../../domain/caching/recall.ts';
import { keyOf } from '../../domain/documents.ts';
import type { ApplicationId, DocumentId } from '../../domain/ids.ts';
import { statusOf, type Outcome } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { writeFault } from '../log.ts';
import { openCredentials } from './credentials.ts';
import { CLOSED, type Opening } from './opening.ts';

/** Accounts that are asked for at a time: each is a call of a session. */
const ASKED_AT_ONCE = 500;

export interface Identity {
  readonly access: Access;
  readonly apiKey: DocumentId | null;
}

/** Why a stream must end: a code of its close. */
export type CloseCode = (typeof CLOSED)[keyof typeof CLOSED];

type Credentials = Pick<Opening, 'apiKey' | 'credentials' | 'path' | 'user' | 'view'>;

export class Account {
  readonly credentialsOf: Credentials;
  /** As who it was last known; null before it was asked. */
  identity: Identity | null = null;
  /** How many streams have it. */
  streams = 0;
  /** The credentials, opened; null before they are needed. */
  headers: Headers | null = null;
  /** How often it was said that it has changed; and how many of these were asked for. */
  #changes = 0;
  #number = 0;

  constructor(credentialsOf: Credentials) {
    this.credentialsOf = credentialsOf;
  }

  /** Whether it has changed since it was asked. */
  get isStale(): boolean {
    return this.#number < this.#changes;
  }

  invalidate(): void {
    this.#changes += 1;
  }

  /** To be called before it is asked; what is returned, with the answer. */
  beginAsking(): () => void {
    const changes = this.#changes;
    return () => {
      this.#number = Math.max(this.#number, changes);
    };
  }
}

export class Accounts {
  readonly #environment: Environment;
  readonly #application: ApplicationId;
  readonly #all = new Map<string, Account>();
  /** Whether the standing of the application may have changed. */
  #isApplicationStale = false;

  constructor(environment: Environment, application: ApplicationId) {
    this.#environment = environment;
    this.#application = application;
  }

  /** The account of a stream, until it leaves. */
  join(opening: Credentials): Account {
    const { apiKey, credentials, path, user, view } = opening;
    const credentialsOf = { apiKey, credentials, path, user, view };
    const account = recall(this.#all, nameOf(credentialsOf), () => new Account(credentialsOf));
    account.streams += 1;
    return account;
  }

  leave(account: Account): void {
    account.streams -= 1;
    if (account.streams === 0) this.#all.delete(nameOf(account.credentialsOf));
  }

  /** The accounts of some identities (users, keys), or all: from now on they are asked again. */
  invalidate(identities: readonly string[] | null): readonly Account[] {
    if (identities === null) this.#isApplicationStale = true;
    const concerned = new Set(identities);
    const accounts = [...this.#all.values()].filter(
      ({ credentialsOf: { apiKey, user } }) =>
        identities === null ||
        (user !== null && concerned.has(user)) ||
        concerned.has(keyOf({ type: CORE.apiKey, id: apiKey })),
    );
    for (const account of accounts) account.invalidate();
    return accounts;
  }

  /** As who an account was last known; asked where nothing is known. */
  async lastOf(account: Account): Promise<Identity | CloseCode> {
    return account.identity ?? this.#requestIdentity(account);
  }

  /** As whom accounts are now. Whoever sees something else now is refused as well. */
  async now(accounts: ReadonlySet<Account>): Promise<ReadonlyMap<Account, Identity | CloseCode>> {
    const answered = Array.from(accounts, (account) => account.beginAsking());
    await this.#refresh(accounts);
    const now = new Map<Account, Identity | CloseCode>();
    const waiting = [...accounts];
    while (waiting.length > 0) {
      const some = waiting.splice(0, ASKED_AT_ONCE);
      await Promise.all(some.map(async (account) => now.set(account, await this.#requestIdentity(account))));
    }
    for (const each of answered) each();
    return now;
  }

  /** What a key permits, and how the application stands, may be remembered for a while: here both are asked anew. */
  async #refresh(accounts: ReadonlySet<Account>): Promise<void> {
    const keys = new Set(Array.from(accounts, ({ credentialsOf }) => credentialsOf.apiKey));
    const isStale = this.#isApplicationStale;
    this.#isApplicationStale = false;
    try {
      await Promise.all([
        isStale ? refreshApplication(this.#environment, this.#application) : null,
        ...Array.from(keys, (key) => refreshKey(this.#environment, this.#application, key)),
      ]);
    } catch (error) {
      this.#isApplicationStale ||= isStale;
      throw error;
    }
  }

  /** Counts a subscription as a request of the account, or refuses it as one. */
  async pay(account: Account): Promise<Outcome<null>> {
    const known = await authenticate(this.#environment, await this.#headersOf(account));
    return known.ok ? paced(known.value.key, known.value.standing.quotas) : known;
  }

  async #headersOf(account: Account): Promise<Headers> {
    const { credentials } = account.credentialsOf;
    return (account.headers ??= await openCredentials(this.#environment, this.#application, credentials));
  }

  /** What cannot be asked ends the streams of this account; others go on. */
  async #requestIdentity(account: Account): Promise<Identity | CloseCode> {
    try {
      return await this.#identify(account);
    } catch (error) {
      writeFault('stream', error);
      return CLOSED.failed;
    }
  }

  async #identify(account: Account): Promise<Identity | CloseCode> {
    const { path, view } = account.credentialsOf;
    const headers = await this.#headersOf(account);
    const canonical = canonicalPath(path);
    if (!canonical.ok) return CLOSED.permission;
    const claim = { method: 'get', canonical: canonical.value, headers } as const;
    const caller = await identify(this.#environment, claim, {}, true);
    if (!caller.ok) {
      account.identity = null;
      const isUnknown = caller.problems.some(({ code }) => statusOf(code) === 401);
      return isUnknown ? CLOSED.credentials : CLOSED.permission;
    }
    const { access, apiKey } = caller.value;
    if (access.view !== view) return CLOSED.anew;
    account.identity = { access, apiKey };
    return account.identity;
  }
}

/** What tells those apart that are asked for separately. */
function nameOf({ credentials, path, view }: Credentials): string {
  return `${credentials} ${view} ${path}`;
}
