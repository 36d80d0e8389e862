/** Redeems ceremonies of passkeys. Each ends at the first try, whatever comes of it: a browser begins another. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { mergeOf } from '../../../collection/rpc/writes/operations.ts';
import { ceremonyOf, passkeyOf } from '../../../domain/accounts/ceremonies.ts';
import { PENDING } from '../../../domain/accounts/settings.ts';
import { keyOf } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail, type Outcome } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE } from '../../../domain/types.ts';
import { isParsedObject, memberAt, type Parsed, type ParsedObject } from '../../../domain/values/json.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import { answerNew } from '../../documents/write/creating.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { userOf } from '../accounts/fresh.ts';
import type { HeldSettings } from '../accounts/settings.ts';
import { answerToken } from '../factors/gate.ts';
import { challengesOf, credentialsWithRoom, handleOf, partyOf } from './begin.ts';
import { isPasskeyName } from './kind.ts';
import { verifiedLogin, verifiedRegistration, type Expected } from './verify.ts';

/** One failure for all causes, as of codes. */
const FAILED = fail('invalid-code', 'The code is wrong, or was used, or has ended.', {
  pointer: '/meta/response',
});

interface Sent {
  readonly response: ParsedObject;
  readonly name: Parsed | undefined;
}

/** What a device has signed; undefined where the body has a code. */
export function sentCeremony({ body }: RequestContext): Sent | undefined {
  const response = memberAt(body, 'meta', 'response');
  return isParsedObject(response) ? { response, name: memberAt(body, 'meta', 'name') } : undefined;
}

export async function redeemCeremony(
  context: RequestContext,
  settings: HeldSettings,
  { response, name }: Sent,
): Promise<Outcome<Answer>> {
  if (name !== undefined && !(typeof name === 'string' && isPasskeyName(name)))
    return fail('invalid-body', `The name is a text of 1 to ${LIMITS.accountName} characters.`, {
      pointer: '/meta/name',
    });
  const { id } = context.parameters;
  const actions = collectionOf(context, CORE.accountAction);
  const read = await actions.read(id, TRUSTED);
  const ceremony = read.state === 'found' ? ceremonyOf(read.document.attributes) : undefined;
  const party = partyOf(settings);
  if (read.state !== 'found' || ceremony === undefined || party === null) return FAILED;
  if (ceremony.expires.getTime() < Date.now() || ceremony.user !== registrant(context, ceremony.user))
    return FAILED;
  // Of many at once, one goes on.
  const used = await actions.remove(id, { ...TRUSTED, ifMatch: [read.document.version] });
  if (!used.ok) return FAILED;
  const challenges = await challengesOf(context, { id, ...ceremony });
  const expected = { challenges, origins: settings.origins, party };
  return ceremony.user === null
    ? logIn(context, settings, expected, response)
    : register(context, expected, response, { user: ceremony.user, name });
}

/** Who registers is logged in still; a login is for everybody. */
function registrant(context: RequestContext, user: DocumentId | null): DocumentId | null {
  return user === null ? null : userOf(context);
}

async function register(
  context: RequestContext,
  expected: Expected,
  response: ParsedObject,
  { user, name }: { readonly user: DocumentId; readonly name: string | undefined },
): Promise<Outcome<Answer>> {
  const credential = await verifiedRegistration(response, expected);
  if (credential === null) return FAILED;
  // Several may have been begun.
  const room = await credentialsWithRoom(context, user);
  if (!room.ok) return room;
  const attributes = {
    name: name ?? 'Passkey',
    user,
    credential: credential.id,
    'public-key': credential.publicKey,
    counter: credential.counter,
    created: new Date(),
  };
  const created = await collectionOf(context, CORE.passkey).create({
    content: { attributes, relationships: {} },
    owners: [keyOf({ type: CORE.user, id: user })],
    rule: null,
  });
  if (created.ok) return answerNew(context, created.value);
  // A credential that is registered is not told from a wrong one.
  return created.problems.some(({ code }) => code === 'value-taken') ? FAILED : created;
}

async function logIn(
  context: RequestContext,
  settings: HeldSettings,
  expected: Expected,
  response: ParsedObject,
): Promise<Outcome<Answer>> {
  const credential = memberOf(response, 'id');
  const passkeys = collectionOf(context, CORE.passkey);
  const stored =
    typeof credential === 'string' && credential.length <= LONGEST_ID
      ? await passkeys.findUnique('credential', credential)
      : null;
  const passkey = stored === null ? undefined : passkeyOf(stored.attributes);
  if (stored === null || passkey === undefined) return FAILED;
  const verified = await verifiedLogin(response, expected, passkey);
  if (verified === null || verified.handle !== handleOf(passkey.user)) return FAILED;
  const read = await collectionOf(context, CORE.user).read(passkey.user, TRUSTED);
  if (read.state !== 'found' || memberOf(read.document.attributes, PENDING) === true) return FAILED;
  if (verified.counter !== passkey.counter) {
    const counted = mergeOf({ attributes: { counter: verified.counter }, relationships: {} }, null);
    const written = await passkeys.update(stored.id, counted, { ...TRUSTED, ifMatch: [stored.version] });
    // It was used or removed meanwhile.
    if (!written.ok) return FAILED;
  }
  return answerToken(context, settings, read.document);
}

/** Characters of 1,023 bytes in base64: no credential has a longer id. */
const LONGEST_ID = 1_364;
