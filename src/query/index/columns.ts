/**
 * The entry of an index of columns for a document: a few of its fields, as text. A pass that needs no others reads it
 * in place of the document.
 */
import { isAuditField } from '../../domain/audit-fields.ts';
import { encodeText } from '../../domain/values/codec.ts';
import type { Fields } from '../../domain/values/values.ts';
import { jsonPathOf } from '../sql/json-paths.ts';

/** The most fields that a pass reads one by one; for more of them the whole body is read. */
export const MOST_COLUMNS = 8;

/** Characters of the fields of a document, beyond which they are not read together with those of others. */
export const MOST_CHARACTERS = 1_800;

/** The prefix before the names of the fields. No field begins with it, so no index on values has such a name. */
const PREFIX = '$columns.';

/** The name of the index of some fields; null where there can be none: ids and the like are in no body. */
export function nameOfColumns(names: readonly string[]): string | null {
  const fields = names.filter((name) => name !== 'type').toSorted();
  const isColumn = (name: string) => name !== 'id' && !isAuditField(name) && jsonPathOf(name) !== null;
  return fields.length > 0 && fields.length <= MOST_COLUMNS && fields.every(isColumn)
    ? PREFIX + fields.join('.')
    : null;
}

/** The fields of an index of columns, or undefined for the name of another index. */
export function fieldsOfColumns(name: string): readonly string[] | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('.') : undefined;
}

/**
 * The fields of a document as further members of a JSON object, `,"name":value` each: those that it has. Null where
 * they are too long.
 */
export function compileColumns(names: readonly string[]): (document: Fields) => string | null {
  const members = names.map((name) => ({ name, begin: memberOf(name) }));
  return (document) => {
    let text = '';
    for (const { name, begin } of members) {
      const value = Object.hasOwn(document, name) ? document[name] : undefined;
      if (value !== undefined) text += `${begin}${encodeText(value)}`;
      if (text.length > MOST_CHARACTERS) return null;
    }
    return text;
  };
}

/** The start of a member behind others. */
export function memberOf(name: string): string {
  return `,${JSON.stringify(name)}:`;
}
