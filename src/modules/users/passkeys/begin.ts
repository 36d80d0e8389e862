/** Begins ceremonies of passkeys: the answer has the options that a browser takes (W3C, Web Authentication Level 3). */
import { everyOfUser } from '../../../collection/rpc/maintenance/applications.ts';
import type { CeremonyKind } from '../../../domain/accounts/ceremonies.ts';
import type { AccountSettings, FactorKind } from '../../../domain/accounts/settings.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { toBase64Url } from '../../../domain/values/base64.ts';
import type { Presentable } from '../../../domain/values/present.ts';
import { textAt } from '../../../domain/values/tree.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { begin, readBegun, refusalOf, freshUserOf } from '../accounts/begun.ts';
import { closed, codesFor, nameOf } from '../accounts/settings.ts';

export async function beginCeremony(
  context: RequestContext,
  settings: AccountSettings,
  kind: CeremonyKind,
): Promise<Outcome<Answer>> {
  const read = readBegun(context, kind);
  if (!read.ok) return read;
  const party = partyOf(settings);
  if (party === null) return closed();
  const registering = kind === 'register-passkey' ? freshUserOf(context) : ok(null);
  if (!registering.ok) return registering;
  const user = registering.value;
  const credentials = user === null ? ok([]) : await credentialsWithRoom(context, settings, user);
  if (!credentials.ok) return credentials;
  const known = credentials.value;
  const refused = await refusalOf(context, kind, user);
  if (refused !== null) return refused;
  return begin(context, settings, { kind, ...(user !== null && { user }) }, async (id) => {
    const [challenge = ''] = await challengesOf(context, { id, kind, user });
    const options =
      user === null
        ? loginOf(challenge, party)
        : await registrationOf(context, settings, { challenge, known, party, user });
    return { options };
  });
}

/** What a browser takes to prove a passkey of a user in an action; nothing where there is none. */
export async function proofOf(
  context: RequestContext,
  settings: AccountSettings | null,
  action: Challenged & { readonly user: DocumentId },
) {
  const party = settings && partyOf(settings);
  const known = await credentialsOf(context, settings, action.user);
  if (party === null || known.length === 0) return {};
  const [challenge = ''] = await challengesOf(context, action);
  return { options: { ...loginOf(challenge, party), allowCredentials: known.map(described) } };
}

function loginOf(challenge: string, party: string) {
  return { challenge, rpId: party, userVerification: 'required' };
}

const described = (id: string) => ({ type: 'public-key', id });

export interface Challenged {
  readonly id: DocumentId;
  readonly kind: CeremonyKind | FactorKind;
  readonly user: DocumentId | null;
}

/** The challenges under each secret, as codes are made: options have the first. */
export function challengesOf(context: RequestContext, { id, kind, user }: Challenged) {
  return codesFor(context, id, kind, user ?? id);
}

/** The credentials that a user has already, where there is room for another one. */
export async function credentialsWithRoom(
  context: RequestContext,
  settings: AccountSettings,
  user: DocumentId,
): Promise<Outcome<readonly string[]>> {
  const credentials = await credentialsOf(context, settings, user);
  if (credentials.length < LIMITS.passkeys) return ok(credentials);
  return tooManyPasskeys();
}

/** Whether a passkey is one too many: of several that are registered at once, the first ones stay. */
export async function isTooMany(context: RequestContext, user: DocumentId, id: DocumentId): Promise<boolean> {
  const ids: DocumentId[] = [];
  for await (const each of everyOfUser(context, CORE.passkey, user)) ids.push(each.id);
  return ids.indexOf(id) >= LIMITS.passkeys;
}

export function tooManyPasskeys() {
  return fail('change-refused', `A user has at most ${LIMITS.passkeys} passkeys: remove one first.`);
}

/** Where there are passkeys. */
export async function credentialsOf(
  context: RequestContext,
  settings: AccountSettings | null,
  user: DocumentId,
): Promise<readonly string[]> {
  const credentials: string[] = [];
  if (settings === null || partyOf(settings) === null) return credentials;
  for await (const { attributes } of everyOfUser(context, CORE.passkey, user)) {
    const id = textAt(attributes, 'credential');
    if (id !== undefined) credentials.push(id);
  }
  return credentials;
}

/** The relying party: what browsers bind passkeys to. */
export function partyOf({ origins: [first] }: AccountSettings): string | null {
  return first === undefined ? null : new URL(first).hostname;
}

/** The handle of a user, which a passkey brings back at a login. */
export function handleOf(user: DocumentId): string {
  return toBase64Url(new TextEncoder().encode(user));
}

/** ES256, Ed25519 and RS256. */
const ALGORITHMS = [-7, -8, -257];

interface Registration {
  readonly challenge: string;
  /** The credentials that the user has: no device makes another one beside its own. */
  readonly known: readonly string[];
  readonly party: string;
  readonly user: DocumentId;
}

async function registrationOf(
  context: RequestContext,
  { name }: AccountSettings,
  { challenge, known, party, user }: Registration,
): Promise<Presentable> {
  const called = await nameOf(context, user);
  return {
    challenge,
    excludeCredentials: known.map(described),
    rp: { id: party, name },
    user: { id: handleOf(user), name: called, displayName: called },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  };
}
