/** The types that an application has stored, which of them have files (docs/files.md), and the end of all of it. */
import { LIMITS } from '../../../domain/limits.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import { holdOf, readTypeSettings } from '../../../domain/types/settings.ts';
import { historyHeld } from '../refusals.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE, storedType, type TypeName } from '../../../domain/types.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { EVERYTHING, type Condition } from '../../../operators/filter/conditions.ts';
import { collectionOf } from '../client.ts';
import { eraseContents } from './contents.ts';
import type { CallContext } from '../call-context.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import { linksTo } from '../../../operators/filter/through.ts';

/** The types in the registry of the caller's application, in the order of their first documents; at most `limit`. */
export async function typesOf(caller: CallContext, limit = Infinity): Promise<readonly TypeName[]> {
  const names = new Set<TypeName>();
  for await (const { attributes } of everyOf(caller, CORE.typeRegistry)) {
    const type = attributes['name'];
    if (typeof type === 'string') names.add(storedType(type));
    if (names.size >= limit) break;
  }
  return [...names];
}

/** The ids of all documents of a type that meet a condition. For small types only. */
export async function idsOf(
  caller: CallContext,
  type: TypeName,
  which?: Condition,
): Promise<readonly DocumentId[]> {
  const ids: DocumentId[] = [];
  for await (const { id } of everyOf(caller, type, which)) ids.push(id);
  return ids;
}

/** Refuses where a type of the caller's application has a history that is held. */
export async function allowErasing(caller: CallContext): Promise<Outcome<null>> {
  const holds = [0];
  for await (const { attributes } of everyOf(caller, CORE.typeSettings))
    holds.push(holdOf(readTypeSettings(attributes, () => undefined)));
  const last = Math.max(...holds);
  return last === 0 ? ok(null) : historyHeld(last);
}

/**
 * Deletes all that the caller's application stores, and gives the ids of its keys. It may be repeated. No new type can
 * appear meanwhile: the registry of types is closed before it is read.
 */
export async function eraseApplication(caller: CallContext): Promise<readonly DocumentId[]> {
  const registry = collectionOf(caller, CORE.typeRegistry);
  await registry.calls.seal();
  // Keys first: from then on no new client is admitted.
  const keys = await collectionOf(caller, CORE.apiKey).erase();
  for (const each of await typesOf(caller)) await collectionOf(caller, each).erase();
  await eraseContents(caller.environment, caller.application);
  await registry.erase();
  return keys;
}

/** All documents of a type that meet a condition, so many at a time. For small types only. */
export async function* everyOf(
  caller: CallContext,
  type: TypeName,
  which: Condition = EVERYTHING,
  limit: number = LIMITS.pageSize,
) {
  const condition = encodeText(which);
  for (let offset = 0; ; offset += limit) {
    const page = { offset, limit, counted: false };
    const everything = { condition, sort: [], page, ...TRUSTED, hidden: [] };
    const listed = await collectionOf(caller, type).list(everything, (found) => Promise.resolve(ok(found)));
    if (!listed.ok) throw new Error(`The documents of type ${type} can not be listed.`);
    yield* listed.value.documents;
    if (!listed.value.more) return;
  }
}

/** The passkeys or identities of a user. */
export function everyOfUser(caller: CallContext, type: TypeName, user: DocumentId) {
  return everyOf(caller, type, { op: 'eq', path: ['user'], value: user });
}

/** A type whose documents have files, and the relationships that lead to these. */
export interface Attaching {
  readonly type: TypeName;
  readonly names: readonly string[];
}

/** The types of the caller's application that have files, the first ones where there are more than `most`. */
export async function attachingTypes(caller: CallContext, most = Infinity): Promise<readonly Attaching[]> {
  const found: Attaching[] = [];
  const withFiles: Condition = { op: 'exists', path: ['files'], exists: true };
  for await (const { attributes } of everyOf(caller, CORE.typeSettings, withFiles)) {
    const name = memberOf(attributes, 'name');
    const { files } = readTypeSettings(attributes, () => undefined);
    if (typeof name === 'string' && files.length > 0) found.push({ type: storedType(name), names: files });
    if (found.length === most) break;
  }
  return found;
}

export function hasFile({ names }: Attaching, id: DocumentId): Condition {
  return { op: 'or', conditions: names.map((name) => linksTo(name, CORE.file, [id])) };
}
