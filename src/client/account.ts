/**
 * Accounts that people make themselves (docs/accounts.md): sign-up, and what codes from mails prove. It is a module of
 * its own, `/client-account.js`, beside the client.
 */
import type { Database } from './database.ts';
import { pathOfAccounts } from './paths.ts';
import type { Answer, Link, Resource } from './transport.ts';
import { decode } from './values.ts';

export interface SignUp {
  readonly username: string;
  readonly password: string;
  readonly email: string;
  /** Those that the account settings let a sign-up give. */
  readonly [attribute: string]: unknown;
}

export interface ActionOptions {
  /** Where the link of the mail leads: one of the account settings. */
  readonly returnTo?: string | undefined;
  /** Of the mail: `de`. */
  readonly language?: string | undefined;
}

/** A login of the user. */
export interface Session {
  readonly id: string;
  readonly created: Date;
  /** When it was last used, to the hour. */
  readonly used: Date;
  /** As it calls itself. */
  readonly device: string | null;
  /** As the platform says: `DE`. */
  readonly country: string | null;
  /** Whether it is that of the client. */
  readonly current: boolean;
}

/** What logs the user in beside a password: a passkey, or an identity at a provider. */
export interface WayIn {
  readonly id: string;
  /** Of the passkey, or of the provider. */
  readonly name: string;
  readonly created: Date;
}

/** An action, and what a passkey takes to prove it, where the user has one. */
export interface Ceremony {
  readonly action: string;
  readonly options?: unknown;
}

type Service = Pick<Database<unknown>, 'request' | 'enter'>;

export function accountOf(db: Service): Account {
  return new Account(db);
}

/** What a link of a mail brings: an action of a kind (docs/accounts.md#actions), and the code that redeems it. */
export interface MailLink {
  readonly kind: string;
  readonly action: string;
  readonly code: string;
}

/** The link behind an address (`location.hash`); null for another address. */
export function readLink(hash: string): MailLink | null {
  const { kind, action, code } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return kind && action && code ? { kind, action, code } : null;
}

/** What of a browser has passkeys, and goes to providers. */
interface Surroundings {
  readonly sessionStorage: {
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
    removeItem(name: string): void;
  };
  readonly location: { readonly search: string; assign(address: string): void };
  readonly PublicKeyCredential: {
    parseRequestOptionsFromJSON(options: unknown): unknown;
    parseCreationOptionsFromJSON(options: unknown): unknown;
  };
  readonly navigator: {
    readonly credentials: Readonly<Record<'get' | 'create', (options: object) => Promise<Signed>>>;
  };
}

interface Signed {
  toJSON(): unknown;
}

const browser = () => globalThis as unknown as Surroundings;

const USER = 'core.user';
const ACTION = 'core.account-action';
const PASSKEY = 'core.passkey';
const IDENTITY = 'core.identity';

/** Those that begin an action give its id, whoever has an account: a code from the mail redeems it. */
export class Account {
  readonly #db: Service;

  constructor(db: Service) {
    this.#db = db;
  }

  /** Makes an account. The mail to the address has the code that confirms it. */
  async signUp(attributes: SignUp): Promise<Link> {
    const { type, id } = await this.#post(pathOfAccounts(USER), { data: { type: USER, attributes } });
    return { type, id };
  }

  /** Sends the code for the address of a user again, or for a changed one. */
  confirmAgain(username: string, options: ActionOptions = {}): Promise<string> {
    return this.#begin({ kind: 'confirm-address', username }, options);
  }

  requestPasswordReset(email: string, options: ActionOptions = {}): Promise<string> {
    return this.#begin({ kind: 'reset-password', email }, options);
  }

  requestLogIn(email: string, options: ActionOptions = {}): Promise<string> {
    return this.#begin({ kind: 'log-in', email }, options);
  }

  requestErasure(email: string, options: ActionOptions = {}): Promise<string> {
    return this.#begin({ kind: 'erase', email }, options);
  }

  /** Redeems a `confirm-address`. A wrong code is `invalid-code`. */
  async confirm(action: string, code: string): Promise<void> {
    await this.#redeem(action, { code });
  }

  /** Redeems a `reset-password`: all logins of the user end. */
  async resetPassword(action: string, code: string, password: string): Promise<void> {
    await this.#redeem(action, { code, password });
  }

  /** Redeems an `invite`: makes the account, and logs the client in. */
  async acceptInvitation(
    action: string,
    code: string,
    {
      username,
      password,
      ...attributes
    }: Pick<SignUp, 'username' | 'password'> & Readonly<Record<string, unknown>>,
  ): Promise<Link> {
    return this.#db.enter(await this.#redeem(action, { code, username, password, attributes }));
  }

  /** Redeems an `erase`: the user is gone, with all that is theirs. */
  async erase(action: string, code: string): Promise<void> {
    await this.#redeem(action, { code });
  }

  /**
   * Redeems a `log-in`, or what a login with a second factor asks for (`error.errors[0].meta.action`): from now on the
   * client sends its requests as the user, whose type and id this gives.
   */
  async logIn(action: string, code: string): Promise<Link> {
    return this.#db.enter(await this.#redeem(action, { code }));
  }

  /** The same, by a passkey of this device. `asked`: by a login with a second factor (`error.errors[0].meta`). */
  async logInWithPasskey(ceremony?: Ceremony): Promise<Link> {
    return this.#db.enter(
      (await this.#ceremony(ceremony ?? 'log-in-passkey', 'Request', 'get')).data as Resource,
    );
  }

  /** Makes a passkey of the user on this device. */
  async addPasskey(name?: string): Promise<Link> {
    const { data } = await this.#ceremony('register-passkey', 'Creation', 'create', name);
    const { type, id } = data as Resource;
    return { type, id };
  }

  passkeys(): Promise<readonly WayIn[]> {
    return this.#waysIn(PASSKEY, 'name');
  }

  async renamePasskey(id: string, name: string): Promise<void> {
    const body = { data: { type: PASSKEY, id, attributes: { name } } };
    await this.#db.request('PATCH', pathOfAccounts(PASSKEY, id), { body });
  }

  /** `token-required` under a login older than ten minutes, `last-way-in` for the only way in. */
  removePasskey(id: string): Promise<void> {
    return this.#remove(PASSKEY, id);
  }

  identities(): Promise<readonly WayIn[]> {
    return this.#waysIn(IDENTITY, 'provider');
  }

  /** Like `removePasskey`. */
  removeIdentity(id: string): Promise<void> {
    return this.#remove(IDENTITY, id);
  }

  async #waysIn(type: string, name: string): Promise<readonly WayIn[]> {
    return (await this.#list(type)).map(({ id, attributes = {} }) => {
      const { [name]: called = '', created } = decode(attributes) as Readonly<Record<string, unknown>>;
      return { id, name: called as string, created: created as Date };
    });
  }

  /** What an answer lists, and those that go on from there. */
  async #list(type: string, query = ''): Promise<readonly Resource[]> {
    const all: Resource[] = [];
    do {
      const { body }: Answer = await this.#db.request('GET', pathOfAccounts(type), { query });
      all.push(...(body.data as readonly Resource[]));
      query = body.links?.next?.split('?')[1] ?? '';
    } while (query);
    return all;
  }

  /** What is stored of the user: resource objects of all types, with values in their wrappers. */
  ownData(): Promise<readonly Resource[]> {
    return this.#list('core.own-data', 'page[after]=&page[size]=100');
  }

  /** Begins a second factor: an app takes the location, and `confirmSecondFactor` a code; or a passkey the options. */
  async requestSecondFactor(): Promise<Ceremony & { readonly location: string }> {
    return (await this.#begun('add-second-factor')) as Ceremony & { readonly location: string };
  }

  /** Adds it, logs the client in anew, and gives codes for whoever loses the app. */
  async confirmSecondFactor(action: string, code: string): Promise<readonly string[]> {
    return this.#added(await this.#answer(action, { code }));
  }

  /** The same, by a passkey of this device. */
  async confirmSecondFactorWithPasskey(ceremony: Ceremony): Promise<readonly string[]> {
    return this.#added(await this.#ceremony(ceremony, 'Request', 'get'));
  }

  #added({ data, meta }: Answer['body']): readonly string[] {
    this.#db.enter(data as Resource);
    return meta?.['recovery-codes'] as readonly string[];
  }

  /** Goes to an identity provider, from which the browser comes back to `returnTo`: there, call `finishLogIn`. */
  async logInWith(provider: string, { returnTo }: ActionOptions = {}): Promise<void> {
    const attributes = {
      ...{ kind: 'log-in-provider', provider },
      ...(returnTo !== undefined && { 'return-to': returnTo }),
    };
    const begun = await this.#post(pathOfAccounts(ACTION), { data: { type: ACTION, attributes } });
    const { code, location } = begun.attributes as Readonly<Record<'code' | 'location', string>>;
    browser().sessionStorage.setItem(begun.id, code);
    browser().location.assign(location);
  }

  /** Logs in who comes back from a provider, and gives the user's type and id; null for all others. */
  async finishLogIn(): Promise<Link | null> {
    const { location, sessionStorage } = browser();
    const action = new URLSearchParams(location.search).get('state') ?? '';
    const code = sessionStorage.getItem(action);
    if (code === null) return null;
    sessionStorage.removeItem(action);
    return this.#db.enter(await this.#redeem(action, { code, callback: location.search }));
  }

  /** Goes on where `finishLogIn` says what an account lacks. `asked`: with the action and a code (`errors[0].meta`). */
  async completeSignUp(
    { action, code }: Pick<MailLink, 'action' | 'code'>,
    attributes: Readonly<Record<string, unknown>>,
  ): Promise<Link> {
    return this.#db.enter(await this.#redeem(action, { code, attributes }));
  }

  /** The logins of the user, the last first. */
  async sessions(): Promise<readonly Session[]> {
    return (await this.#list('core.session')).map(({ id, attributes }) => ({
      ...(decode(attributes ?? {}) as Omit<Session, 'id'>),
      id,
    }));
  }

  /** Ends one: whoever has its token is logged out. */
  endSession(id: string): Promise<void> {
    return this.#remove('core.user.token', id);
  }

  endOtherSessions(): Promise<void> {
    return this.#remove('core.session');
  }

  async #remove(...of: readonly string[]): Promise<void> {
    await this.#db.request('DELETE', pathOfAccounts(...of));
  }

  async #begin(subject: object, { returnTo, language }: ActionOptions): Promise<string> {
    const attributes = { ...subject, 'return-to': returnTo, language };
    return (await this.#post(pathOfAccounts(ACTION), { data: { type: ACTION, attributes } })).id;
  }

  async #post(path: string, body: object): Promise<Resource> {
    return (await this.#db.request('POST', path, { body })).body.data as Resource;
  }

  /** `of`: the kind of an action that it begins, or one that has begun. */
  async #ceremony(
    of: string | Ceremony,
    form: 'Request' | 'Creation',
    step: 'get' | 'create',
    name?: string,
  ): Promise<Answer['body']> {
    const { action, options } = typeof of === 'string' ? await this.#begun(of) : of;
    const { navigator, PublicKeyCredential } = browser();
    const publicKey = PublicKeyCredential[`parse${form}OptionsFromJSON`](options);
    const response = (await navigator.credentials[step]({ publicKey })).toJSON();
    return this.#answer(action, { response, name });
  }

  async #begun(kind: string): Promise<Ceremony> {
    const { attributes, id } = await this.#post(pathOfAccounts(ACTION), {
      data: { type: ACTION, attributes: { kind } },
    });
    return { action: id, ...attributes };
  }

  async #redeem(action: string, meta: object): Promise<Resource> {
    return (await this.#answer(action, meta)).data as Resource;
  }

  async #answer(action: string, meta: object): Promise<Answer['body']> {
    const path = pathOfAccounts(ACTION, action, 'redemption');
    return (await this.#db.request('POST', path, { body: { meta } })).body;
  }
}
