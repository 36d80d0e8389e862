/**
 * Accounts that people make themselves (docs/accounts.md): sign-up, and what codes from mails prove. It is a module of its own,
 * `/client-account.js`, beside the client.
 */
import type { Database } from './database.ts';
import { pathOf } from './paths.ts';
import type { Link, Resource } from './transport.ts';

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
}

export function accountOf(db: Pick<Database<unknown>, 'request'>): Account {
  return new Account(db);
}

/** The action and the code that a link of a mail brings (`location.hash`); null for another address. */
export function readLink(hash: string): { readonly action: string; readonly code: string } | null {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const [action, code] = [parameters.get('action'), parameters.get('code')];
  return action === null || code === null ? null : { action, code };
}

const USER = 'core.user';
const ACTION = 'core.account-action';

/** Those that begin an action give its id, whoever has an account: a code from the mail redeems it. */
export class Account {
  readonly #db: Pick<Database<unknown>, 'request'>;

  constructor(db: Pick<Database<unknown>, 'request'>) {
    this.#db = db;
  }

  /** Makes an account. The mail to the address has the code that confirms it. */
  async signUp(attributes: SignUp): Promise<Link> {
    const { type, id } = await this.#post(pathOf(USER), { data: { type: USER, attributes } });
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

  /** Redeems a `log-in`, and gives the token: `connect({…, token})` is logged in with it. */
  async logIn(action: string, code: string): Promise<string> {
    const answer = await this.#redeem(action, { code });
    return (answer.body.data as Resource).attributes?.['token'] as string;
  }

  /** Redeems an `erase`: the user is gone, with all that is theirs. */
  async erase(action: string, code: string): Promise<void> {
    await this.#redeem(action, { code });
  }

  async #begin(subject: object, { returnTo }: ActionOptions): Promise<string> {
    const attributes = { ...subject, ...(returnTo !== undefined && { 'return-to': returnTo }) };
    return (await this.#post(pathOf(ACTION), { data: { type: ACTION, attributes } })).id;
  }

  async #post(path: string, body: object): Promise<Resource> {
    return (await this.#db.request('POST', path, { body })).body.data as Resource;
  }

  #redeem(action: string, meta: object) {
    return this.#db.request('POST', `${pathOf(ACTION, action)}/redemption`, { body: { meta } });
  }
}
