/** Logins: a password or an external user's id gives a token (spec, Authentication, rules 7 and 9). */
import { verifyPassword } from '../../auth/passwords.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import { fromBase64 } from '../../domain/base64.ts';
import { isId, keyOf, type Link } from '../../domain/documents.ts';
import { fail, type Outcome } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { fieldOf } from '../../domain/values.ts';
import type { Answer, Exchange, Handler } from '../endpoint.ts';
import { answerCreated } from '../documents/handlers.ts';
import { HOLDER_VERSION, LONGEST_USERNAME } from './kinds.ts';
import { LoginGate } from './login-gate.ts';
import { userOfIdToken } from './oidc.ts';

/** One failure for all causes: an unknown name and a wrong password must look the same. */
const FAILED = fail('invalid-login', 'The login is missing or wrong.', { header: 'Authorization' });

export const loginUser: Handler = async (exchange) => {
  const login = readBasic(exchange.authorization);
  if (login === undefined || login.name.length > LONGEST_USERNAME) return FAILED;
  const gate = new LoginGate(exchange, login.name);
  const closed = gate.refusal();
  if (closed !== null) return closed;
  const user = await collectionOf(exchange, CORE.user).findUnique('username', login.name);
  const hash = user === null ? undefined : fieldOf(user.attributes, 'password');
  const right = await verifyPassword(login.password, typeof hash === 'string' ? hash : undefined);
  // Many guesses at once must not outrun the count: its present state also applies to a right password.
  const closedSince = gate.refusal();
  if (closedSince !== null) return closedSince;
  if (user === null || !right) return (await gate.failed()) ?? FAILED;
  return makeToken(exchange, { type: CORE.user, id: user.id }, user.version);
};

export const loginExternalUser: Handler = async (exchange) => {
  const idToken = readBearer(exchange.authorization);
  if (idToken !== undefined) {
    const user = await userOfIdToken(exchange, idToken);
    if (user === null) return FAILED;
    return user.ok
      ? makeToken(exchange, { type: CORE.externalUser, id: user.value.id }, user.value.version)
      : user;
  }
  const id = readExternal(exchange.authorization);
  if (id === undefined) return FAILED;
  const read = await collectionOf(exchange, CORE.externalUser).read(id, null);
  if (read.state !== 'found') return FAILED;
  return makeToken(exchange, { type: CORE.externalUser, id }, read.document.version);
};

/** Makes a token that is valid while its holder has this version. */
async function makeToken(exchange: Exchange, holder: Link, version: number): Promise<Outcome<Answer>> {
  const content = {
    attributes: { created: new Date(), [HOLDER_VERSION]: version },
    relationships: { user: holder },
  };
  const tokens = collectionOf(exchange, `${holder.type}.token`);
  const created = await tokens.create({ content, owners: [keyOf(holder)] });
  return created.ok ? answerCreated(exchange, created.value) : created;
}

/** `Basic <base64 of name:password>`; the password may hold colons (RFC 7617). */
function readBasic(
  authorization: string | null,
): { readonly name: string; readonly password: string } | undefined {
  const text = decodeScheme('Basic', authorization);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 1) return undefined;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** `External <base64 of id:<external user id>>`. */
function readExternal(authorization: string | null): string | undefined {
  const [, id = ''] = /^id:([0-9a-fA-F]{24})$/.exec(decodeScheme('External', authorization) ?? '') ?? [];
  return isId(id.toLowerCase()) ? id.toLowerCase() : undefined;
}

function readBearer(authorization: string | null): string | undefined {
  const [, token] = /^Bearer +([A-Za-z0-9_.-]{1,16384})$/i.exec(authorization ?? '') ?? [];
  return token;
}

function decodeScheme(scheme: string, authorization: string | null): string | undefined {
  const [found = '', encoded = '', ...rest] = (authorization ?? '').trim().split(/ +/);
  if (found.toLowerCase() !== scheme.toLowerCase() || rest.length > 0 || encoded.length > 8192)
    return undefined;
  const bytes = fromBase64(encoded);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
