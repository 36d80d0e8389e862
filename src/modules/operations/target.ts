/** The target of an operation: by its `ref`, by its `href`, or by the identity in its `data`. */
import { placeOfHref } from '../../domain/addresses/href.ts';
import { readId, type DocumentId } from '../../domain/ids.ts';
import { isParsedObject, type Parsed, type ParsedObject } from '../../domain/values/json.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { isFieldName, type FieldName } from '../../domain/field-names.ts';
import { faultAt } from './faults.ts';
import { memberOf } from '../../domain/values/tree.ts';

export interface OperationTarget {
  readonly type: string;
  /** The place of the type in the operation. */
  readonly typePlace: string;
  /** The id, or its placeholder if `lid` names the document; null for the whole collection. */
  readonly id: DocumentId | null;
  readonly lid: string | null;
  /** The name of the relationship, if it is the target. */
  readonly name: FieldName | null;
}

/** The placeholder for the id of a document that an earlier operation has added under a name. */
export type FindLocal = (type: string, lid: string) => DocumentId | undefined;

/** Reads a `ref`: `{type, id | lid, relationship?}`. Pointers are relative to the operation. */
export function targetOfRef(ref: Parsed, findLocal: FindLocal): Outcome<OperationTarget> {
  if (!isParsedObject(ref)) return faultAt('/ref', 'A ref must be an object with type, and id or lid.');
  const name = memberOf(ref, 'relationship') ?? null;
  if (name !== null && typeof name !== 'string') {
    return faultAt('/ref/relationship', 'The relationship must be a string.');
  }
  if (name !== null && !(isFieldName(name) && name.isWellFormed())) {
    return faultAt('/ref/relationship', 'No relationship can have this name.', 'relationship-not-found');
  }
  const identity = targetOfIdentity(ref, '/ref', findLocal);
  return identity.ok ? ok({ ...identity.value, name }) : identity;
}

/** Reads `{type, id | lid}` of an object at a place in the operation. */
export function targetOfIdentity(
  object: ParsedObject,
  place: string,
  findLocal: FindLocal,
): Outcome<OperationTarget> {
  const type = memberOf(object, 'type');
  const id = memberOf(object, 'id');
  const lid = memberOf(object, 'lid');
  if (typeof type !== 'string') return faultAt(`${place}/type`, 'The type must be a string.');
  if ((id === undefined) === (lid === undefined)) {
    return faultAt(place, 'Name the document by either id or lid.');
  }
  const common = { type, typePlace: `${place}/type`, name: null };
  if (lid !== undefined) {
    if (typeof lid !== 'string') return faultAt(`${place}/lid`, 'The lid must be a string.');
    const local = findLocal(type, lid);
    if (local !== undefined) return ok({ ...common, id: local, lid });
    const detail = noneBefore(type, lid);
    return faultAt(`${place}/lid`, detail);
  }
  if (typeof id !== 'string') return faultAt(`${place}/id`, 'The id must be a string.');
  const known = readId(id);
  if (known !== undefined) return ok({ ...common, id: known, lid: null });
  return faultAt(`${place}/id`, `There is no document ${id.slice(0, 100)}.`, 'document-not-found');
}

/** Reads an `href`: an address of this service under `/resources`, whole or from the first slash on. */
export function targetOfHref(href: Parsed, base: string): Outcome<OperationTarget> {
  if (typeof href !== 'string') return faultAt('/href', 'The href must be a string.');
  const place = placeOfHref(href, base);
  if (place === undefined) {
    return faultAt(
      '/href',
      'An href is /resources/<type>, /resources/<type>/<id>, /resources/<type>.acl/<id> ' +
        'or /resources/<type>/<id>/relationships/<name> here.',
    );
  }
  const { type, id, relationship } = place;
  return ok({ type, typePlace: '/href', id, lid: null, name: relationship });
}

/** What is wrong with a lid that no operation has given. */
export function noneBefore(type: string, lid: string): string {
  return `No operation before this one adds a document ${lid.slice(0, 100)} of type ${type.slice(0, 200)}.`;
}
