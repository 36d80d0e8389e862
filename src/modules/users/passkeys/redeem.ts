/** Redeems ceremonies of passkeys. Each ends at the first try, whatever comes of it: a browser begins another. */
import { CEREMONIES, passkeyOf } from '../../../domain/accounts/ceremonies.ts';
import { isOf, PENDING } from '../../../domain/accounts/settings.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { fail, type Outcome } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { isParsedObject, memberAt, type Parsed, type ParsedObject } from '../../../domain/values/json.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import { answerNew } from '../../documents/write/creating.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { invalidCode, isConflict, mailOfChange, userOf } from '../accounts/begun.ts';
import { faultOfName } from '../accounts/kinds.ts';
import { openAction, ownOf, type HeldSettings } from '../accounts/settings.ts';
import { answerToken } from '../factors/gate.ts';
import {
  challengesOf,
  credentialsWithRoom,
  handleOf,
  isTooMany,
  partyOf,
  tooManyPasskeys,
  type Challenged,
} from './begin.ts';
import { verifiedLogin, verifiedRegistration, type Expected } from './verify.ts';

const FAILED = invalidCode('response');

interface Sent {
  readonly response: ParsedObject;
  readonly name: Parsed | undefined;
}

/** What a device has signed; undefined where the body has a code. */
export function responseIn({ body }: RequestContext): ParsedObject | undefined {
  const response = memberAt(body, 'meta', 'response');
  return isParsedObject(response) ? response : undefined;
}

/** Null where the action of the request is no ceremony. */
export async function redeemCeremony(
  context: RequestContext,
  settings: HeldSettings,
  response: ParsedObject,
): Promise<Outcome<Answer> | null> {
  const name = memberAt(context.body, 'meta', 'name');
  const fault = name === undefined ? undefined : faultOfName(name);
  if (fault !== undefined) return fail('invalid-body', fault, { pointer: '/meta/name' });
  const { id } = context.parameters;
  const action = await openAction(context);
  if (!isOf(action, CEREMONIES)) return null;
  const { kind, user, version } = action;
  // Who registers is logged in still; a login is for everybody, and says by its passkey whose it is.
  if (user !== null && user !== userOf(context)) return FAILED;
  // Of many at once, one goes on.
  const used = await ownOf(context, CORE.accountAction).remove(id, version);
  if (!used.ok) return FAILED;
  if (user !== null) {
    const expected = await expectedOf(context, settings, { id, kind, user });
    return expected === null ? FAILED : register(context, settings, expected, { response, user, name });
  }
  const owner = await proven(context, settings, { id, kind, user }, response);
  const found = owner && (await ownOf(context, CORE.user).read(owner));
  if (found === null || memberOf(found.attributes, PENDING) === true) return FAILED;
  return answerToken(context, settings, found);
}

async function expectedOf(
  context: RequestContext,
  settings: HeldSettings,
  action: Challenged,
): Promise<Expected | null> {
  const party = partyOf(settings);
  if (party === null) return null;
  return { challenges: await challengesOf(context, action), origins: settings.origins, party };
}

async function register(
  context: RequestContext,
  settings: HeldSettings,
  expected: Expected,
  { response, user, name }: Sent & { readonly user: DocumentId },
): Promise<Outcome<Answer>> {
  const credential = await verifiedRegistration(response, expected);
  if (credential === null) return FAILED;
  // Several may have been begun.
  const room = await credentialsWithRoom(context, settings, user);
  if (!room.ok) return room;
  const attributes = {
    name: typeof name === 'string' ? name : 'Passkey',
    user,
    credential: credential.id,
    'public-key': credential.publicKey,
    counter: credential.counter,
    created: new Date(),
  };
  const created = await ownOf(context, CORE.passkey).add(attributes, user);
  if (created.ok) {
    const { id } = created.value.document;
    if (await isTooMany(context, user, id)) {
      await ownOf(context, CORE.passkey).remove(id);
      return tooManyPasskeys();
    }
    const owner = await ownOf(context, CORE.user).read(user);
    if (owner !== null) await mailOfChange(context, settings, owner);
    return answerNew(context, created.value);
  }
  // A credential that is registered is not told from a wrong one.
  return created.problems.some(({ code }) => code === 'value-taken') ? FAILED : created;
}

/** Whose passkey has signed for an action of that user, or of whoever has it; null where none has. */
export async function proven(
  context: RequestContext,
  settings: HeldSettings,
  action: Challenged,
  response: ParsedObject,
): Promise<DocumentId | null> {
  const expected = await expectedOf(context, settings, action);
  const credential = memberOf(response, 'id');
  const passkeys = ownOf(context, CORE.passkey);
  const stored =
    typeof credential === 'string' && credential.length <= LONGEST_ID
      ? await passkeys.find('credential', credential)
      : null;
  const passkey = stored === null ? undefined : passkeyOf(stored.attributes);
  if (expected === null || stored === null || passkey === undefined) return null;
  const { user } = passkey;
  const verified = await verifiedLogin(response, expected, passkey);
  // Devices that are told whose passkey they shall prove need not say whose it is.
  const isTheirs = action.user === null ? verified?.handle === handleOf(user) : action.user === user;
  if (verified === null || !isTheirs) return null;
  if (verified.counter === passkey.counter) return user;
  const written = await passkeys.change(stored.id, { counter: verified.counter }, stored.version);
  if (written.ok) return user;
  // It was used, renamed or removed meanwhile: what is stored now decides.
  return isConflict(written.problems) ? proven(context, settings, action, response) : null;
}

/** Characters of 1,023 bytes in base64: no credential has a longer id. */
const LONGEST_ID = 1_364;
