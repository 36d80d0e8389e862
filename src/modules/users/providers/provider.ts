/** What a provider says of somebody: an issuer of OpenID Connect in an id token, one of OAuth 2.0 where it is asked. */
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { addressIn, askProvider, configurationOf, type Configuration } from '../../../auth/issuer-keys.ts';
import { ofTenant } from '../../../auth/issuers.ts';
import { subjectOf, verifyIdToken, type Subject } from '../../../auth/id-tokens.ts';
import { ENDPOINTS } from '../../../domain/accounts/providers.ts';
import type { Document } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { isList, memberOf, textAt } from '../../../domain/values/tree.ts';
import type { Fields, Value } from '../../../domain/values/values.ts';
import type { RequestContext } from '../../endpoint.ts';
import { secretFor, type Client } from './secrets.ts';

/** An identity provider, as its document says it. */
export interface Provider extends Client {
  readonly id: DocumentId;
  readonly name: string;
  readonly scopes: string;
  /** Which claim each attribute of a new account is. */
  readonly claims: Readonly<Record<string, string>>;
  /** Null for an issuer, which publishes them. */
  readonly endpoints: Endpoints | null;
}

interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  readonly user: string;
  readonly emails: string | undefined;
}

export function providerOf({ id, attributes }: Pick<Document, 'id' | 'attributes'>): Provider | null {
  const [name, issuerText, clientId, key, team] = ['name', 'issuer', 'client-id', 'key-id', 'team-id'].map(
    (each) => textAt(attributes, each),
  );
  const endpoints = issuerText === undefined ? endpointsOf(attributes) : null;
  const issuer = issuerText ?? endpoints?.user;
  if (name === undefined || issuer === undefined || clientId === undefined) return null;
  const scopes = memberOf(attributes, 'scopes') ?? null;
  const names = isList(scopes) ? scopes.filter((each) => typeof each === 'string') : [];
  const claims = Object.entries(memberOf(attributes, 'claims') ?? {});
  const usual = endpoints === null ? 'openid email profile' : '';
  return {
    ...{ id, name, issuer, clientId, endpoints },
    clientSecret: textAt(attributes, 'client-secret'),
    signing: key === undefined || team === undefined ? null : { key, team },
    scopes: names.length > 0 ? names.join(' ') : usual,
    claims: Object.fromEntries(claims.filter(isNamed)),
  };
}

function endpointsOf(attributes: Document['attributes']): Endpoints | null {
  const [authorization, token, user] = ENDPOINTS.map((name) => textAt(attributes, name));
  if (authorization === undefined || token === undefined || user === undefined) return null;
  return { authorization, token, user, emails: textAt(attributes, 'emails-endpoint') };
}

function isNamed(claim: readonly [string, Value]): claim is readonly [string, string] {
  return typeof claim[1] === 'string';
}

/** What a provider says of somebody, as attributes of an account: numbers, flags, texts no longer than addresses. */
export function attributesIn({ claims }: Provider, said: Subject['claims']): Fields {
  const named = Object.entries(claims).map(
    ([attribute, claim]) => [attribute, memberOf(said, claim)] as const,
  );
  return Object.fromEntries(named.filter(isShort));
}

function isShort(named: readonly [string, unknown]): named is readonly [string, string | number | boolean] {
  const [, value] = named;
  return typeof value === 'string'
    ? value !== '' && value.length <= LIMITS.webhookUrl
    : typeof value === 'boolean' ||
        // Whole numbers beyond these have been rounded.
        (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)));
}

/** Where browsers go; throws where an issuer does not tell. */
export async function authorizationOf({ issuer, endpoints }: Provider, outward?: Fetcher): Promise<string> {
  if (endpoints !== null) return endpoints.authorization;
  return addressIn(issuer, await configurationOf(issuer, outward), 'authorization_endpoint');
}

interface Returned {
  /** What the provider sent back. */
  readonly said: URLSearchParams;
  readonly state: string;
  readonly back: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** Who somebody is at a provider, and how it is asked for what a new account needs. */
export interface Named extends Pick<Subject, 'issuer' | 'subject'> {
  /** Null where the provider does not say. */
  readonly whole: () => Promise<Subject | null>;
}

/** For a code of the provider; null where it does not say. */
export async function subjectFor(
  context: RequestContext,
  provider: Provider,
  returned: Returned,
): Promise<Named | null> {
  const outward = context.environment.OUTWARD;
  const named = await orNull(async () => {
    const known = { ...provider, clientSecret: await secretFor(context, provider) };
    return provider.endpoints === null
      ? subjectOfIssuer(known, returned, outward)
      : subjectOfUser(known, provider.endpoints, returned, outward);
  });
  return named && { ...named, whole: () => orNull(named.whole) };
}

/** Providers fail in many ways. */
function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  return ask().catch(() => null);
}

async function subjectOfIssuer(
  provider: Provider,
  returned: Returned,
  outward?: Fetcher,
): Promise<Named | null> {
  const { clientId, issuer } = provider;
  const configuration = await configurationOf(issuer, outward);
  const server = {
    issuer,
    token_endpoint: addressIn(issuer, configuration, 'token_endpoint'),
    authorization_response_iss_parameter_supported:
      configuration['authorization_response_iss_parameter_supported'] === true,
  };
  // Discovery 1.0, section 3: who names no method takes Basic.
  const methods = configuration['token_endpoint_auth_methods_supported'];
  const authentication =
    Array.isArray(methods) && methods.includes('client_secret_post')
      ? oauth.ClientSecretPost
      : oauth.ClientSecretBasic;
  const given = await exchange(provider, returned, server, authentication, outward);
  const { id_token: idToken } = given;
  if (typeof idToken !== 'string') return null;
  const own = ofTenant(issuer, decodeJwt(idToken)['tid']);
  const subject = await verifyIdToken(idToken, { issuer: own, audience: clientId }, outward);
  if (subject === null || subject.nonce !== returned.nonce) return null;
  const whole = async () => {
    const all = await completed(provider, configuration, subject, given['access_token'], outward);
    // A tenant says of its people what it likes.
    return own === issuer ? all : { ...all, email: null };
  };
  return { issuer: own, subject: subject.subject, whole };
}

/** With what an issuer says only where it is asked (Core 1.0, sections 5.3 and 5.4); throws if of somebody else. */
async function completed(
  { claims, clientId, issuer }: Provider,
  configuration: Configuration,
  subject: Subject,
  token: unknown,
  outward?: Fetcher,
): Promise<Subject> {
  const isSaid = (claim: string) => memberOf(subject.claims, claim) !== undefined;
  if (typeof token !== 'string' || (configuration['userinfo_endpoint'] ?? null) === null) return subject;
  if (['email', ...Object.values(claims)].every(isSaid)) return subject;
  const server = { issuer, userinfo_endpoint: addressIn(issuer, configuration, 'userinfo_endpoint') };
  const client = { client_id: clientId };
  const answer = await oauth.userInfoRequest(server, client, token, sending(outward));
  const said = await oauth.processUserInfoResponse(server, client, subject.subject, answer);
  const { email = null, username = null } = subjectOf(subject.issuer, said) ?? {};
  return {
    ...subject,
    // An address and whether it is verified are told together.
    email: subject.email ?? email,
    username: subject.username ?? username,
    claims: { ...said, ...subject.claims },
  };
}

/** How the library asks. Providers on this machine alone may be in the open: others were refused. */
const sending = (outward?: Fetcher) => ({
  [oauth.customFetch]: (address: string, options: Parameters<typeof askProvider>[1]) =>
    askProvider(address, options, outward),
  // oxlint-disable-next-line typescript/no-deprecated -- it is marked so to be noticed
  [oauth.allowInsecureRequests]: true,
});

/** What the provider gives for a code (RFC 6749; RFC 9207: for one of its own); throws where it refuses. */
async function exchange(
  { clientId, clientSecret }: Provider,
  { said, state, back, verifier }: Returned,
  server: oauth.AuthorizationServer,
  authentication: (secret: string) => oauth.ClientAuth,
  outward?: Fetcher,
): Promise<Configuration> {
  const client = { client_id: clientId };
  const own = clientSecret === undefined ? oauth.None() : authentication(clientSecret);
  const code = oauth.validateAuthResponse(server, client, said, state);
  const how = sending(outward);
  const answer = await oauth.authorizationCodeGrantRequest(server, client, own, code, back, verifier, how);
  return Object(await answer.json()) as Configuration;
}

/** By the names that providers have for it: `id` and `login` are those of GitHub. */
async function subjectOfUser(
  provider: Provider,
  { token, user, emails }: Endpoints,
  returned: Returned,
  outward?: Fetcher,
): Promise<Named | null> {
  const server = { issuer: user, token_endpoint: token };
  const said = new URLSearchParams(returned.said);
  // Who was registered by endpoints has no name that this could be.
  said.delete('iss');
  const given = await exchange(provider, { ...returned, said }, server, oauth.ClientSecretPost, outward);
  if (typeof given['access_token'] !== 'string') return null;
  const headers = { accept: 'application/json', authorization: `Bearer ${given['access_token']}` };
  const ask = async (address: string) => (await askProvider(address, { headers }, outward)).json();
  const profile = Object(await ask(user)) as Configuration;
  const subject = profile['sub'] ?? profile['id'];
  const isName = typeof subject === 'string' ? /^.{1,255}$/.test(subject) : Number.isSafeInteger(subject);
  if (!isName) return null;
  const who = { issuer: user, subject: String(subject) };
  const whole = async () => {
    const listed = emails === undefined ? profile : primaryOf(await ask(emails));
    const isVerified = listed[emails === undefined ? 'email_verified' : 'verified'] === true;
    const texts = [
      profile['name'],
      isVerified && listed['email'],
      profile['preferred_username'] ?? profile['login'],
    ];
    const [name = null, email = null, username = null] = texts.map((each) =>
      typeof each === 'string' ? each : null,
    );
    return { ...who, name, email, username, nonce: null, claims: profile };
  };
  return { ...who, whole };
}

function primaryOf(emails: unknown): Configuration {
  const all = Array.isArray(emails) ? emails.map((each) => Object(each) as Configuration) : [];
  return all.find((each) => each['primary'] === true) ?? {};
}
