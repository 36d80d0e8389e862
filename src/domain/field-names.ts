/** Names of fields: those that a client may write or ask for, and what is wrong with others. A leaf without I/O. */
import { shownName } from './names.ts';

declare const brand: unique symbol;

/**
 * The name of an attribute or a relationship. `isFieldName` makes it of a text from a path, body or settings; a key of
 * `Fields` or of `Linkages` was checked when the object was read, and stays a plain string.
 */
export type FieldName = string & { readonly [brand]: 'FieldName' };

/** The attribute of a type of the service that code calls by this name: `client-ids` for `clientIds`. */
export function attributeOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** True for a name that a field of a document can have. */
export function isFieldName(name: string): name is FieldName {
  return faultOfFieldName(name) === undefined;
}

export function isNewFieldName(name: string): name is FieldName {
  return faultOfNewFieldName(name) === undefined;
}

/** Why a name can not be that of a field, or undefined when it can (decisions, section 2). */
export function faultOfName(name: string): string | undefined {
  if (name === '') return 'A field name must not be empty.';
  if (name.startsWith('$')) return `The field name ${shownName(name)} must not start with $.`;
  if (name.includes('.')) return `The field name ${shownName(name)} must not contain a dot.`;
  return undefined;
}

/** The same for a field of a document itself, beside its `id` and `type`. */
export function faultOfFieldName(name: string): string | undefined {
  return name === 'id' || name === 'type' ? `A field must not be named ${name}.` : faultOfName(name);
}

/**
 * The same for one that is written. Names in stored documents are free; a new one must be such that
 * `fields`, `sort` and `filter` can ask for it (decisions, section 2).
 */
export function faultOfNewFieldName(name: string): string | undefined {
  const fault = faultOfFieldName(name);
  if (fault !== undefined) return fault;
  if (name !== name.trim()) return 'A field name must not begin or end with a blank.';
  return UNASKABLE.test(name)
    ? 'A field name must not contain a comma, a slash, brackets or control characters.'
    : undefined;
}

const UNASKABLE = /[,/[\]\p{Cc}]/u;
