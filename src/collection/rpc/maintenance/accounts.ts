/** Account actions: whom one is about, where they read mails, and how many were begun lately. */
import {
  FACTOR,
  NOTICES,
  readAddress,
  UNDO_ADDRESS,
  type AccountAction,
} from '../../../domain/accounts/settings.ts';
import type { Document } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { CORE } from '../../../domain/types.ts';
import { memberOf, textAt } from '../../../domain/values/tree.ts';
import { collectionOf } from '../client.ts';
import type { CallContext } from '../call-context.ts';
import { ok } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { ObjectId } from '../../../domain/values/values.ts';
import type { Condition } from '../../../operators/filter/conditions.ts';
import { negate } from '../../../operators/filter/scope.ts';

interface Addressee {
  readonly user: DocumentId;
  readonly version: number;
  readonly username: string | null;
  /** That the user has chosen; null for none. */
  readonly language: string | null;
  readonly address: string;
  /** Whether the address belongs to another account. */
  readonly isTaken: boolean;
  readonly needsFactor: boolean;
}

/** Null where there is nobody. `action`: its id, which stands for whoever is invited. */
export async function addresseeOf(
  caller: CallContext,
  { kind, email, user: former, username }: Pick<AccountAction, 'kind' | 'email' | 'user' | 'username'>,
  action: DocumentId,
): Promise<Addressee | null> {
  const users = collectionOf(caller, CORE.user);
  if ((kind === 'invite' || kind === UNDO_ADDRESS) && email !== null) {
    const isTaken = (await users.findUnique('confirmed-email', email)) !== null;
    return {
      user: former ?? action,
      version: 0,
      username: null,
      language: null,
      needsFactor: false,
      address: email,
      isTaken,
    };
  }
  if (kind !== 'confirm-address') {
    const owner = email === null ? null : await users.findUnique('confirmed-email', email);
    return owner === null || email === null ? null : { ...ofOwner(owner), address: email, isTaken: false };
  }
  const user = username === null ? null : await users.findUnique('username', username);
  const address = user === null ? undefined : readAddress(memberOf(user.attributes, 'email'));
  if (user === null || address === undefined) return null;
  const owner = await users.findUnique('confirmed-email', address);
  if (owner?.id === user.id) return null;
  return { ...ofOwner(user), address, isTaken: owner !== null };
}

function ofOwner({ attributes, id, version }: Pick<Document, 'attributes' | 'id' | 'version'>) {
  const [username = null, language = null] = ['username', 'language'].map((name) => textAt(attributes, name));
  return { user: id, version, username, language, needsFactor: memberOf(attributes, FACTOR) === true };
}

const HOUR = 3_600_000;

/**
 * How many with these attributes were begun in the last hour, whomever they name; without the notices of the service,
 * unless the kind is one. `before`: those before this one.
 */
export function recentActions(
  caller: CallContext,
  attributes: Readonly<Record<string, string>>,
  before?: DocumentId,
): Promise<number> {
  const since = new Date(Date.now() - HOUR);
  return countActions(caller, [
    { op: 'gt', path: ['created'], value: since },
    ...(Object.hasOwn(attributes, 'kind') ? [] : [NO_NOTICE]),
    ...earlier(before),
    ...Object.entries(attributes).map(([name, value]) => ({ op: 'eq', path: [name], value }) as const),
  ]);
}

const NO_NOTICE = negate({ op: 'in', path: ['kind'], values: NOTICES, patterns: [] });

/** How many of a kind have not ended by themselves. `before`: those before this one. */
export function actionsUnderWay(caller: CallContext, kind: string, before?: DocumentId): Promise<number> {
  return countActions(caller, [
    { op: 'eq', path: ['kind'], value: kind },
    { op: 'gt', path: ['expires'], value: new Date() },
    ...earlier(before),
  ]);
}

/** Of many at once, each counts those before it: so exactly those stay for which there is room. */
function earlier(before: DocumentId | undefined): readonly Condition[] {
  return before === undefined ? [] : [{ op: 'lt', path: ['id'], value: new ObjectId(before) }];
}

async function countActions(caller: CallContext, conditions: readonly Condition[]): Promise<number> {
  const condition = encodeText({ op: 'and', conditions } satisfies Condition);
  const page = { offset: 0, limit: 1, counted: true };
  const request = { condition, sort: [], page, ...TRUSTED, hidden: [] };
  const counted = await collectionOf(caller, CORE.accountAction).list(request, ({ total }) =>
    Promise.resolve(ok(total ?? Infinity)),
  );
  return counted.ok ? counted.value : Infinity;
}
