/** Who logs in, by a password, an id token or an external user's id (spec, Authentication, rules 7 and 9). */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Document } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { CORE, type HolderType } from '../../domain/types.ts';
import { mergeOf } from '../../collection/rpc/writes/operations.ts';
import { hashPassword, isHash, tooManyHashes, verifyPassword, WRONG_LOGIN } from '../passwords.ts';
import { loginGate } from './gate.ts';
import { wait } from './hash-turns.ts';
import { FACTOR, PENDING } from '../../domain/accounts/settings.ts';
import { userOfIdToken } from './id-token.ts';
import { readBasic, readBearer, readExternal, type Login } from './schemes.ts';
import { memberOf, textAt } from '../../domain/values/tree.ts';
import { TRUSTED } from '../../domain/rules.ts';

/** Who has logged in, as they were then: a token stands as long as they have this version. */
export interface LoggedIn {
  readonly holder: { readonly type: HolderType; readonly id: DocumentId };
  readonly version: number;
  /** Whether a password is not enough. */
  readonly needsFactor?: boolean;
}

/** One failure for all causes: an unknown name and a wrong password must look the same. */
export const FAILED = fail('invalid-login', 'The login is missing or wrong.', { header: 'Authorization' });

export async function logInUser(login: Login): Promise<Outcome<LoggedIn>> {
  const claim = readBasic(login.authorization);
  if (claim === undefined || claim.name.length > LIMITS.username) return FAILED;
  // An address is the same in all its spellings: guesses at one count together.
  const gate = loginGate(login, claim.name.includes('@') ? claim.name.toLowerCase() : claim.name);
  const closed = gate.refusal();
  if (closed !== null) return closed;
  const user = await userNamed(login, claim.name);
  const hash = user === null ? undefined : textAt(user.attributes, 'password');
  // Begun before: the clock of a Worker may stand still while a hash is made.
  const paced = wait(WRONG_LOGIN.lasts);
  const right = await verifyPassword(claim.password, hash);
  if (right === null) return tooManyHashes();
  // Many guesses at once must not outrun the count: its present state also applies to a right password.
  const closedSince = gate.refusal();
  // Nobody logs in before they have confirmed their address, where the account settings ask for that.
  const isPending = user !== null && memberOf(user.attributes, PENDING) === true;
  if (closedSince !== null || user === null || !right || isPending) {
    const refused = closedSince ?? (await gate.failed()) ?? FAILED;
    await paced;
    return refused;
  }
  const version =
    typeof hash !== 'string' || isHash(hash) ? user.version : await renewed(login, user, claim.password);
  // Somebody else has changed the user meanwhile, perhaps another login.
  if (version === null) return logInUser(login);
  const needsFactor = memberOf(user.attributes, FACTOR) === true;
  return ok({ holder: { type: CORE.user, id: user.id }, version, needsFactor });
}

/** The user of a name, or of a confirmed address. One whose name is the address of somebody else is not meant. */
async function userNamed(login: Login, name: string) {
  const users = collectionOf(login, CORE.user);
  if (!name.includes('@')) return users.findUnique('username', name);
  const [byAddress, byName] = await Promise.all([
    users.findUnique('confirmed-email', name.toLowerCase()),
    users.findUnique('username', name),
  ]);
  return byAddress ?? byName;
}

/** Stores a hash of ours in the place of an imported one: the version of the user, null where that has changed. */
async function renewed(
  login: Login,
  { id, version }: Pick<Document, 'id' | 'version'>,
  password: string,
): Promise<number | null> {
  const hash = await hashPassword(password);
  // Another login will.
  if (hash === null) return version;
  const users = collectionOf(login, CORE.user);
  const change = mergeOf({ attributes: { password: hash }, relationships: {} }, null);
  const written = await users.update(id, change, { ...TRUSTED, ifMatch: [version] });
  if (written.ok) return written.value.document.version;
  return written.problems.some(({ code }) => code === 'precondition-failed') ? null : version;
}

export async function logInExternalUser(login: Login): Promise<Outcome<LoggedIn>> {
  const idToken = readBearer(login.authorization);
  if (idToken !== undefined) {
    const user = await userOfIdToken(login, idToken);
    if (user === null) return FAILED;
    return user.ok ? ok(loggedIn(user.value)) : user;
  }
  const id = readExternal(login.authorization);
  if (id === undefined) return FAILED;
  const read = await collectionOf(login, CORE.externalUser).read(id, TRUSTED);
  return read.state === 'found' ? ok(loggedIn(read.document)) : FAILED;
}

function loggedIn({ id, version }: { readonly id: DocumentId; readonly version: number }): LoggedIn {
  return { holder: { type: CORE.externalUser, id }, version };
}
