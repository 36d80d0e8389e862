/** From a pipeline's outputs to documents: a string for the id, attributes and relationships apart. */
import { LIMITS } from '../domain/limits.ts';
import { distinctLinks, type Link, type Linkage } from '../domain/documents.ts';
import { isOutputId, madeId, readId, type DocumentId } from '../domain/ids.ts';
import { present } from '../domain/values/present.ts';
import { isAuditField } from '../domain/audit-fields.ts';
import { isAggregateType, storedType } from '../domain/types.ts';
import { isLinkable } from '../domain/types/facts.ts';
import { isFields, isUnwritable, ObjectId, type Fields, type Value } from '../domain/values/values.ts';
import type { Operand } from '../operators/core/meter.ts';
import type { OutputShape } from './output.ts';
import { textOf } from '../operators/core/text.ts';
import { mapTree, memberOf, isList } from '../domain/values/tree.ts';

export interface AggregateDocument {
  readonly id: DocumentId;
  readonly attributes: Fields;
  readonly relationships: Readonly<Record<string, Linkage>>;
}

/** A document, or why the output makes none, as a sentence. */
export type Shaped =
  | { readonly ok: true; readonly document: AggregateDocument }
  | { readonly ok: false; readonly detail: string };

export function shapeOutput(output: Fields, shape: OutputShape): Shaped {
  const id = idText(memberOf(output, 'id'));
  if (id === undefined) {
    return {
      ok: false,
      detail:
        'An output has no id, or one that no address can hold: ' +
        `empty, dots, or longer than ${LIMITS.outputId} bytes.`,
    };
  }
  const attributes: [string, Value][] = [];
  for (const [name, value] of Object.entries(output)) {
    if (
      name !== 'id' &&
      name !== 'type' &&
      !isAuditField(name) &&
      (shape.attributes?.some((each) => each === name) ?? true)
    ) {
      attributes.push([name, representable(value)]);
    }
  }
  const relationships: [string, Linkage][] = [];
  for (const name of shape.relationships) {
    const value = memberOf(output, name);
    if (value === undefined) continue;
    const linkage = linkageOf(value);
    if (linkage === undefined) return { ok: false, detail: `${name} ${NO_LINK}` };
    relationships.push([name, linkage]);
  }
  return {
    ok: true,
    document: {
      id: madeId(id),
      attributes: Object.fromEntries(attributes),
      relationships: Object.fromEntries(relationships),
    },
  };
}

const NO_LINK =
  'is no relationship: it must be null, an object with type and id alone, or an array of such objects.';

/** The string that an id becomes (decisions, section 5): arrays and objects as compact JSON. */
function idText(value: Operand): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return 'null';
  const text = textOf(value) ?? JSON.stringify(present(representable(value)));
  return isOutputId(text) ? text : undefined;
}

function representable(value: Value): Value {
  if (isUnwritable(value)) return null;
  return isList(value) || isFields(value) ? mapTree(value, representable) : value;
}

function linkageOf(value: Value): Linkage | undefined {
  if (value === null) return null;
  if (!isList(value)) return linkOf(value);
  const links: Link[] = [];
  for (const each of value) {
    const link = linkOf(each);
    if (link === undefined) return undefined;
    if (link !== null) links.push(link);
  }
  return distinctLinks(links);
}

/**
 * Aggregates may be linked to by whatever id they have; stored documents have object ids. A link without an id is null:
 * what it was made of has no such link (decisions, section 5).
 */
function linkOf(value: Value): Link | null | undefined {
  if (!isFields(value) || Object.keys(value).some((name) => name !== 'type' && name !== 'id'))
    return undefined;
  const type = memberOf(value, 'type');
  const id = memberOf(value, 'id') ?? null;
  if (id === null) return null;
  if (typeof type !== 'string') return undefined;
  if (isAggregateType(type)) {
    const text = idText(id);
    return text === undefined ? undefined : { type: storedType(type), id: madeId(text) };
  }
  const text = id instanceof ObjectId ? id.hex : id;
  const known = typeof text === 'string' && isLinkable(type) ? readId(text) : undefined;
  return known && { type: storedType(type), id: known };
}
