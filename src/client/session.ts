/** Who is logged in: the token that goes with every request, and how one gets it and loses it (docs/users.md). */
import { linksOf } from './changes.ts';
import { ForedgeError } from './errors.ts';
import { pathOf } from './paths.ts';
import {
  Transport,
  type Answer,
  type Link,
  type RequestOptions,
  type Resource,
  type Settings,
} from './transport.ts';

/** What logs in: a user name and password, an id token of an OpenID Connect issuer, or (for trusted servers) an id. */
export type Login =
  | { readonly username: string; readonly password: string }
  | { readonly idToken: string }
  | { readonly externalUser: string };

export interface SessionSettings extends Settings {
  /** The token of an earlier login. */
  readonly token?: string | null | undefined;
  /** What came with it, where logins are refreshed. */
  readonly refreshToken?: string | null | undefined;
  /**
   * Told every token that a login gives, and null when it has ended: the place to store it, or to show a login. With it
   * comes what gets the next one, where logins are refreshed: the client does that by itself.
   */
  readonly onToken?: ((token: string | null, refreshToken: string | null) => void) | undefined;
  /** What `onToken` has stored last, here or in another tab: it is asked before a token is refreshed. */
  readonly stored?: (() => readonly [token: string | null, refreshToken: string | null]) | undefined;
}

const USERS = ['core.user', 'core.external-user'] as const;

export class Session {
  readonly #transport: Transport;
  readonly #onToken: SessionSettings['onToken'];
  readonly #stored: SessionSettings['stored'];
  /** Whether a cookie may know a login that was not asked for yet. */
  #mayRestore: boolean;
  readonly #cookie: boolean;
  #token: string | null = null;
  /** Another object for each login: the tokens that come by refreshing are of one. */
  #loggedIn = {};
  #refreshToken: string | null = null;
  /** The token before the last refresh, and a refresh that is on its way. */
  #former: string | null = null;
  #refreshing: Promise<void> | undefined;
  /** The type of the user, where it is known. */
  #type: string | undefined;

  constructor(settings: SessionSettings) {
    this.#cookie = this.#mayRestore = settings.cookie === true;
    this.#transport = new Transport(settings);
    this.#onToken = settings.onToken;
    this.#stored = settings.stored;
    this.#set(settings.token ?? null, settings.refreshToken);
  }

  get token(): string | null {
    return this.#token;
  }

  get loggedIn(): object {
    return this.#loggedIn;
  }

  /** Sends a request as the user. A token that is refused has ended: it is refreshed, or dropped. */
  async send(method: string, path: string, options?: RequestOptions): Promise<Answer> {
    await this.#restore();
    const token = this.#token;
    try {
      return await this.#transport.send(method, path, options);
    } catch (error) {
      if (!(error instanceof ForedgeError && error.code === 'token-required') || token === null) throw error;
      // What is sent with a token of its own is not sent with another, and says nothing of this one.
      const own = options?.headers?.['authorization'];
      if (token === this.#token && (own ?? `Token ${token}`) === `Token ${token}`) await this.#renew(token);
      if (token !== this.#former || own !== undefined) throw error;
      return this.#transport.send(method, path, options);
    }
  }

  /** Before the first request, the login that a cookie may know. */
  async #restore(): Promise<void> {
    if (!this.#mayRestore || this.#token !== null) return;
    await this.#renew(null);
    this.#mayRestore = false;
  }

  #renew(token: string | null): Promise<void> {
    return (this.#refreshing ??= this.#refresh(token).finally(() => (this.#refreshing = undefined)));
  }

  async #refresh(token: string | null): Promise<void> {
    const [other = null, next] = this.#stored?.() ?? [];
    if (other !== null && other !== token) {
      this.#set(other, next);
      this.#former = token;
      return;
    }
    if (this.#refreshToken === null && !this.#cookie) {
      this.#change(null);
      return;
    }
    const headers = {
      authorization: this.#refreshToken === null ? undefined : `Refresh ${this.#refreshToken}`,
    };
    try {
      const { body } = await this.#transport.send('POST', pathOf('core.user.token'), { headers });
      // Somebody may have logged in or out meanwhile.
      if (token !== this.#token) return;
      const loggedIn = this.#loggedIn;
      this.enter(body.data as Resource);
      this.#former = token;
      // Without a token before, nobody has said whose login a cookie knows.
      if (token !== null) this.#loggedIn = loggedIn;
    } catch (error) {
      if (!(error instanceof ForedgeError && error.status === 401)) throw error;
      if (token === this.#token) this.#change(null);
    }
  }

  /** Logs in, and gives the user's type and id. */
  async login(login: Login): Promise<Link> {
    const type = USERS['username' in login ? 0 : 1];
    const headers = { authorization: headerOf(login) };
    const { body } = await this.#transport.send('POST', pathOf(`${type}.token`), { headers });
    return this.enter(body.data as Resource);
  }

  /** Is logged in with the token of an answer, and gives the user's type and id. */
  enter({ attributes, relationships }: Resource): Link {
    const user = linksOf(relationships?.['user']?.data) as Link;
    this.#type = user.type;
    this.#change(attributes?.['token'] as string, attributes?.['refresh-token'] as string | undefined);
    return user;
  }

  /** Ends the token, here and in the service. Without a token nothing happens. */
  async logout(): Promise<void> {
    await this.#restore();
    const { token } = this;
    if (token === null) return;
    try {
      await this.#asMe((type) => this.send('DELETE', pathOf(`${type}.token`, 'me')));
    } finally {
      if (this.token === token) this.#change(null);
    }
  }

  /** The answer with the user's own document; null when nobody is logged in. */
  async me(options: RequestOptions): Promise<Answer | null> {
    await this.#restore();
    if (this.#token === null) return null;
    return this.#asMe((type) => this.send('GET', pathOf(type, 'me'), options));
  }

  /** A token from an earlier page does not say which kind of user it is of: then both are tried. */
  async #asMe(ask: (type: string) => Promise<Answer>): Promise<Answer> {
    const [first, second] = USERS;
    if (this.#type !== undefined) return ask(this.#type);
    try {
      const answer = await ask(first);
      this.#type = first;
      return answer;
    } catch (error) {
      if (this.#token === null || !(error instanceof ForedgeError && [403, 404].includes(error.status)))
        throw error;
      const answer = await ask(second);
      this.#type = second;
      return answer;
    }
  }

  #set(token: string | null, refreshToken: string | null = null): void {
    this.#token = token;
    this.#refreshToken = refreshToken;
    this.#former = null;
    this.#loggedIn = {};
    this.#transport.authorization = token === null ? undefined : `Token ${token}`;
    if (token === null) this.#type = undefined;
  }

  #change(token: string | null, refreshToken?: string): void {
    this.#set(token, refreshToken);
    this.#onToken?.(token, this.#refreshToken);
  }
}

function headerOf(login: Login): string {
  if ('idToken' in login) return `Bearer ${login.idToken}`;
  if ('externalUser' in login) return `External ${base64(`id:${login.externalUser}`)}`;
  return `Basic ${base64(`${login.username}:${login.password}`)}`;
}

/** The bytes of a text in UTF-8, as headers take them. */
export const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
