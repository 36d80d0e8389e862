/** Rows as documents, as their columns say, and what is wrong with those that cannot be one. */
import type { Link } from '../../../../client/transport.ts';
import type { Json } from '../../../../client/values.ts';
import { isItems, isMembers, linkIn, member, withMember, type LineFault } from '../../../parts/json.ts';
import { ID, textOf } from '../../../parts/kinds.ts';
import type { Draft, Linkage } from '../../document/draft.ts';
import { faultsOfMembers } from '../../document/faults.ts';
import { partsOf, valueAs, type Column } from './columns.ts';
import type { Row, Rows } from './rows.ts';

/** The ids of documents by their type, a field and its value. */
export type Targets = ReadonlyMap<string, readonly string[]>;

export function keyOfTarget(type: string, by: string, text: string): string {
  return JSON.stringify([type, by, text]);
}

/** A document that is to be made. */
export interface Ready {
  readonly line: number;
  readonly id: string | undefined;
  readonly draft: Draft;
}

export interface Drafts {
  readonly ready: readonly Ready[];
  /** In the order of lines. */
  readonly faults: readonly LineFault[];
}

export function draftsFrom(
  { rows, faults }: Rows,
  type: string,
  columns: readonly Column[],
  targets: Targets,
): Drafts {
  // A file of one type may be meant for another one; of several, only those of the type are meant.
  const isMixed = new Set(rows.flatMap((row) => row.type ?? [])).size > 1;
  const ready: Ready[] = [];
  const found: LineFault[] = [...faults];
  for (const row of rows) {
    const isOther = isMixed && row.type !== undefined && row.type !== type;
    const made = isOther ? `It is of type ${row.type}.` : draftOf(row, columns, targets);
    if (typeof made === 'string') found.push({ line: row.line, reason: made });
    else ready.push(made);
  }
  return { ready, faults: found.sort((one, other) => one.line - other.line) };
}

/** The document, or why there is none. */
function draftOf({ line, values }: Row, columns: readonly Column[], targets: Targets): Ready | string {
  const attributes = new Map<string, Json>();
  const relationships: [string, Linkage][] = [];
  let id: string | undefined;
  for (const column of columns) {
    const value = values.get(column.name);
    if (value === undefined || column.becomes === 'nothing') continue;
    const told = `${column.name}: ${shown(textOf(value))}`;
    if (column.becomes === 'id') {
      id = textOf(value).toLowerCase();
      if (!ID.test(id)) return `${told} is no id of 24 hexadecimal digits.`;
    } else if (column.becomes === 'link') {
      const linkage = linkageOf(value, column, targets);
      if (typeof linkage === 'string') return `${column.name}: ${linkage}`;
      relationships.push([column.field, linkage]);
    } else {
      const said = valueAs(value, column.kind);
      if (said === undefined) return `${told} is no ${column.kind}.`;
      const [first = '', ...rest] = column.field.split('.');
      const whole = put(attributes.get(first), rest, said);
      if (whole === undefined) return `Two columns become ${column.field}.`;
      attributes.set(first, whole);
    }
  }
  const members = Object.fromEntries(attributes);
  const [fault] = faultsOfMembers(members, '/attributes');
  if (fault !== undefined) return `${fault.pointer.split('/').slice(2).join('.')}: ${fault.message}`;
  return { line, id, draft: { attributes: members, relationships: Object.fromEntries(relationships) } };
}

/** What stands at a place with a value below it; undefined where something stands there already. */
function put(there: Json | undefined, [step, ...rest]: readonly string[], value: Json): Json | undefined {
  if (step === undefined) return there === undefined ? value : undefined;
  if (there !== undefined && !isMembers(there)) return undefined;
  const inner = put(member(there, step), rest, value);
  return inner === undefined ? undefined : withMember(there ?? {}, step, inner);
}

function linkageOf(value: Json, column: Column, targets: Targets): Linkage | string {
  if (value === null) return null;
  const links: Link[] = [];
  for (const part of isItems(value) || column.by === '' ? partsOf(value) : [value]) {
    const link = linkIn(part) ?? linkTo(textOf(part), column, targets);
    if (typeof link === 'string') return link;
    links.push(link);
  }
  const [only = null] = links;
  return column.isMany ? links : only;
}

function linkTo(text: string, { type, by }: Column, targets: Targets): Link | string {
  if (by === '') return ID.test(text) ? { type, id: text.toLowerCase() } : `${shown(text)} is no id.`;
  const [id, ...more] = targets.get(keyOfTarget(type, by, text)) ?? [];
  if (id === undefined) return `No document of ${type} has the ${by} ${shown(text)}.`;
  return more.length === 0
    ? { type, id }
    : `${more.length + 1} documents of ${type} have the ${by} ${shown(text)}.`;
}

/** The beginning of what stands in the file. */
function shown(text: string): string {
  return `“${text.slice(0, 60)}”`;
}
