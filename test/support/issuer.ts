/**
 * A real OpenID Connect provider on this machine, and a browser that logs in at it by the authorization-code flow with
 * PKCE. Beside what the provider hands out, tests can sign tokens of their own with the provider's key.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { CompactSign, exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';
import { listen } from './listen.ts';

export const CALLBACK = 'http://127.0.0.1/callback';

/** The clients that the provider knows: the one of the application under test, and a stranger. */
export const CLIENT = 'the-site';
export const OTHER_CLIENT = 'another-site';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

interface IssuerOptions {
  /** Where browsers go back to; `CALLBACK` if it is not given. */
  readonly redirect?: string;
  /** Who is logged in there; whom a login hints at, if it is not given. */
  readonly subject?: string;
  /** Of its clients, which send it by Basic alone. */
  readonly secret?: string;
  /** Whether it says who somebody is only where it is asked (Core 1.0, section 5.4). */
  readonly asked?: true;
}

export class Issuer {
  readonly url: string;
  #key: SigningKey;
  readonly #options: IssuerOptions;
  #serve: RequestListener = () => undefined;

  private constructor(url: string, key: SigningKey, options: IssuerOptions) {
    this.url = url;
    this.#key = key;
    this.#options = options;
  }

  /** Starts a provider on a free port, and gives how to stop it. */
  static async start(
    options: IssuerOptions = {},
  ): Promise<{ readonly issuer: Issuer; readonly stop: () => Promise<void> }> {
    const made: { issuer?: Issuer } = {};
    const { url, stop } = await listen(
      createServer((request, response) => made.issuer?.answer(request, response)),
    );
    const issuer = new Issuer(url, await newKey(), options);
    made.issuer = issuer;
    await issuer.#provide();
    return { issuer, stop };
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.#serve(request, response);
  }

  get kid(): string {
    return this.#key.kid;
  }

  /** The public key as PEM. */
  publicKey(): Promise<string> {
    return exportSPKI(this.#key.publicKey);
  }

  /** Takes a new key; tokens of the former one hold no longer. */
  async rotate(): Promise<void> {
    this.#key = await newKey();
    await this.#provide();
  }

  /** Logs a subject in and returns the id token. */
  async login(subject: string, client = CLIENT): Promise<string> {
    const verifier = randomBytes(32).toString('base64url');
    const parameters = new URLSearchParams({
      client_id: client,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid profile',
      login_hint: subject,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const back = await this.browse(`${this.url}/auth?${parameters.toString()}`);
    const code = back.searchParams.get('code') ?? '';
    const answer = await fetch(`${this.url}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: client,
        redirect_uri: CALLBACK,
        code,
        code_verifier: verifier,
      }),
    });
    const { id_token: idToken } = await answer.json<{ readonly id_token?: string }>();
    if (idToken === undefined) throw new Error(`The provider gave no id token: ${answer.status}.`);
    return idToken;
  }

  /** A token with these claims and the provider's signature. */
  sign(claims: JWTPayload, header: { readonly typ?: string } = {}): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: this.#key.kid, ...header })
      .sign(this.#key.privateKey);
  }

  /** A token with this text for its claims. */
  signText(claims: string): Promise<string> {
    return new CompactSign(new TextEncoder().encode(claims))
      .setProtectedHeader({ alg: 'RS256', kid: this.#key.kid })
      .sign(this.#key.privateKey);
  }

  /** Claims that hold now, for a subject. */
  claims(subject: string): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    return { iss: this.url, aud: CLIENT, sub: subject, iat: now, exp: now + 600 };
  }

  /** Follows redirects as a browser does, cookies included, until they lead back to the site. */
  async browse(address: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let next = address;
    for (let hops = 0; hops < 10; hops += 1) {
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { headers: { cookie }, redirect: 'manual' });
      for (const each of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`No way on from ${next}: ${await response.text()}`);
      next = new URL(location, next).href;
      if (next.startsWith(CALLBACK)) return new URL(next);
    }
    throw new Error('The login went round in circles.');
  }

  async #provide(): Promise<void> {
    const { kid, privateKey } = this.#key;
    const signing = { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' };
    const client = {
      redirect_uris: [this.#options.redirect ?? CALLBACK],
      ...(this.#options.secret === undefined
        ? { token_endpoint_auth_method: 'none' }
        : { token_endpoint_auth_method: 'client_secret_basic', client_secret: this.#options.secret }),
      application_type: 'native',
    };
    const provider: Provider = new Provider(this.url, {
      clients: [CLIENT, OTHER_CLIENT].map((id) => ({ client_id: id, ...client })),
      jwks: { keys: [signing] },
      ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 600 },
      cookies: { keys: ['a key for cookies in tests'] },
      claims: { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: this.#options.asked ?? false,
      ...(this.#options.secret !== undefined && { clientAuthMethods: ['client_secret_basic'] }),
      features: { devInteractions: { enabled: false } },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({
          ...{ sub, name: `Name of ${sub}`, preferred_username: sub },
          ...{ email: `${sub}@shop.example`, email_verified: !sub.startsWith('unverified') },
        }),
      }),
      interactions: { url: () => '/interaction' },
      loadExistingGrant: async ({ oidc: { client, session } }: GrantContext) => {
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    this.#serve = (request, response) => {
      void (request.url === '/interaction'
        ? logIn(provider, request, response, this.#options.subject)
        : callback(request, response));
    };
  }
}

interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

/** The provider's own login page, which takes everybody at the word. */
async function logIn(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  subject?: string,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  await provider.interactionFinished(request, response, {
    login: { accountId: subject ?? String(params['login_hint']) },
    consent: {},
  });
}

async function newKey(): Promise<SigningKey> {
  const pair = await generateKeyPair('RS256', { extractable: true });
  return { kid: randomBytes(8).toString('hex'), ...pair };
}
