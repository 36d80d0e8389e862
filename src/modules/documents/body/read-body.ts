/**
 * Bodies into documents and links. Faults of shape are 400 and are reported at once. Faults of content (names, values)
 * are collected beside the content, because preconditions are checked before them (decisions, section 1).
 */
import type { Content, Link, Linkage } from '../../../domain/documents.ts';
import { isOutputId, madeId, readId, type DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import {
  isParsedObject,
  memberAt,
  type Parsed,
  type ParsedObject,
  textOfParsed,
} from '../../../domain/values/json.ts';
import { offerOf, shownName } from '../../../domain/names.ts';
import { inside, placeOf, type Place } from '../../../domain/pointer.ts';
import { failed, ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import { coreTypesThat, typeInfo, isLinkable } from '../../../domain/types/facts.ts';
import { isOutputType, storedType } from '../../../domain/types.ts';
import type { Fields } from '../../../domain/values/values.ts';
import type { Grant } from '../../../domain/rights.ts';
import type { Update } from '../../../operators/update/update.ts';
import type { DocumentKind } from '../kind.ts';
import { readMeta, Problems, type LocalIds } from './read-meta.ts';
import { OWN_ID } from '../../../collection/rpc/writes/operations.ts';
import { CHOSEN_ID } from '../../../collection/rpc/refusals.ts';
import { readChange, readValue, reportUnfit, type Report } from '../../../domain/values/wrappers.ts';
import { faultOfNewFieldName } from '../../../domain/field-names.ts';
import { isList, mapFields, memberOf } from '../../../domain/values/tree.ts';

export interface Submitted<T> {
  readonly content: T;
  /** Faults of content, in the order 403, 409, 422. */
  readonly problems: readonly Problem[];
}

export interface SubmittedDocument extends Submitted<Content> {
  /** The id that a new document is to have, which the settings of its type must allow; null without. */
  readonly id: DocumentId | null;
  /** The operators of `data.meta.update`; null without. */
  readonly update: Update | null;
  /** The rights of `data.meta.acl`; null without. */
  readonly grants: Readonly<Record<string, Grant>> | null;
}

/**
 * Reads `{data: {type, attributes?, relationships?, meta?}}` for the address it was sent to; `id` is null on create. At
 * an address with `me` the body may have the id `me`, too, or none (decisions, section 4). The change of many documents
 * has an address with no id at all, and `me` is null.
 */
export function readDocument(
  body: Parsed,
  type: string,
  id: string | { readonly me: string | null } | null,
  kind: Pick<DocumentKind, 'raw'> = {},
  locals?: LocalIds,
): Outcome<SubmittedDocument> {
  // What a new document is called within its own request (JSON:API, Resource Identifier Objects).
  const lid = id === null ? memberAt(body, 'data', 'lid') : undefined;
  const shape = new Problems(locals ?? (typeof lid === 'string' ? ownLid(type, lid) : undefined));
  if (lid !== undefined && typeof lid !== 'string') {
    shape.add('invalid-body', placeOf('data', 'lid'), 'The lid must be a string.');
  }
  const data = shape.object(
    memberAt(body, 'data'),
    placeOf('data'),
    'The data member must be a resource object.',
  );
  if (data === null) return failed(...shape.all);

  const content = new Problems();
  const member = memberOf(data, 'id');
  // What has a name of its own in the request has no id yet, and a client may say so (@warp-drive).
  const sentId = typeof lid === 'string' && member === null ? undefined : member;
  const mayChoose = typeInfo(type).module === 'resources';
  const chosen = id === null && mayChoose && typeof sentId === 'string' ? readId(sentId) : undefined;
  if (id === null && sentId !== undefined && chosen === undefined) {
    const detail = mayChoose
      ? `${CHOSEN_ID} Such an id has 24 hexadecimal digits.`
      : 'The service gives these documents their ids: leave id out.';
    content.add('client-id', placeOf('data', 'id'), detail);
  }
  checkIdentity(shape, content, data, 'type', type);
  if (locals?.addressed !== undefined) checkIdentity(shape, content, data, 'lid', locals.addressed);
  else if (typeof id === 'string') checkIdentity(shape, content, data, 'id', id);
  else if (id !== null && id.me !== null && sentId !== undefined && sentId !== 'me') {
    checkIdentity(shape, content, data, 'id', id.me);
  }
  const attributes = readAttributes(shape, content, data, kind, id === null ? readValue : readChange);
  const relationships = readRelationships(shape, content, data);

  for (const name of Object.keys(relationships)) {
    if (Object.hasOwn(attributes, name)) {
      content.add(
        'field-collision',
        placeOf('data', 'relationships', name),
        `There is an attribute ${name} too.`,
      );
    }
  }
  const meta = readMeta(shape, content, data, id === null, [attributes, relationships]);
  if (shape.all.length > 0) return failed(...shape.all);
  return ok({ id: chosen ?? null, content: { attributes, relationships }, ...meta, problems: content.all });
}

/** The links of a new document may lead to itself, which has no id yet. */
function ownLid(type: string, lid: string): LocalIds {
  return {
    find: (linked, named) => (linked === type && named === lid ? OWN_ID : undefined),
    unknown: () => `Only the document of this request has a lid, ${lid.slice(0, 100)} of type ${type}.`,
  };
}

/** Reads `{data: …}` of a relationship: any linkage, or an array of links if `many` is true. */
export function readLinkage(body: Parsed, many: boolean, locals?: LocalIds): Outcome<Submitted<Linkage>> {
  const shape = new Problems(locals);
  const content = new Problems();
  const data = memberAt(body, 'data');
  const place = placeOf('data');
  if (many && !isList(data)) {
    shape.add('invalid-body', place, 'The data member must be an array of links.');
    return failed(...shape.all);
  }
  const linkage = readLinks(shape, content, data, place);
  return shape.all.length > 0 ? failed(...shape.all) : ok({ content: linkage, problems: content.all });
}

function checkIdentity(
  shape: Problems,
  content: Problems,
  data: ParsedObject,
  member: 'type' | 'id' | 'lid',
  expected: string,
): void {
  const sent = memberOf(data, member);
  const place = placeOf('data', member);
  if (typeof sent !== 'string') {
    shape.add('invalid-body', place, `The ${member} member must be a string.`);
  } else if (member === 'type' && sent !== expected) {
    content.add('type-conflict', place, `The type of this address is ${expected}.`);
  } else if (member === 'id' && sent.toLowerCase() !== expected) {
    content.add('id-conflict', place, `The id of this address is ${expected}.`);
  } else if (member === 'lid' && sent !== expected) {
    content.add('id-conflict', place, `The lid of this operation is ${expected.slice(0, 100)}.`);
  }
}

function readAttributes(
  shape: Problems,
  content: Problems,
  data: ParsedObject,
  { raw = {} }: Pick<DocumentKind, 'raw'>,
  reader: typeof readValue,
): Fields {
  const sent = memberOf(data, 'attributes');
  if (sent === undefined) return {};
  const place = placeOf('data', 'attributes');
  const object = shape.object(sent, place, 'The attributes member must be an object.');
  const report: Report = (where, detail, kind) => {
    content.add(kind === 'name' ? 'invalid-field-name' : 'invalid-value', where, detail);
  };
  return mapFields(object ?? {}, (value, name) => {
    const at = inside(place, name);
    checkFieldName(content, name, at);
    const members = memberOf(raw, name);
    if (members === 'whole') return rawText(value, at, report);
    const json = members === undefined ? value : withTexts(value, members, at, report);
    return reader(json, at, report);
  });
}

/** JSON that is kept as text. A number that no kind can hold is refused here as in every value. */
function rawText(json: Parsed, place: Place, report: Report): string {
  reportUnfit(json, place, report);
  return textOfParsed(json);
}

/** A list of objects, with some members of these as their JSON texts. */
function withTexts(list: Parsed, members: ReadonlySet<string>, place: Place, report: Report): Parsed {
  if (!isList(list)) return list;
  return list.map((item, index) => {
    if (!isParsedObject(item)) return item;
    return mapFields(item, (value, name) =>
      members.has(name) ? rawText(value, inside(inside(place, index), name), report) : value,
    );
  });
}

function readRelationships(
  shape: Problems,
  content: Problems,
  data: ParsedObject,
): Readonly<Record<string, Linkage>> {
  const sent = memberOf(data, 'relationships');
  if (sent === undefined) return {};
  const place = placeOf('data', 'relationships');
  const object = shape.object(sent, place, 'The relationships member must be an object.');
  const read = Object.entries(object ?? {}).map(([name, value]) => {
    const at = inside(place, name);
    checkFieldName(content, name, at);
    if (!name.isWellFormed()) {
      // No address can have it, and a relationship has one.
      content.add('invalid-field-name', at, 'The name of a relationship must be made of whole characters.');
    }
    const relationship = shape.object(value, at, 'A relationship must be an object with a data member.');
    if (relationship === null) return [name, null] as const;
    return [name, readLinks(shape, content, memberOf(relationship, 'data'), inside(at, 'data'))] as const;
  });
  return Object.fromEntries(read);
}

function checkFieldName(content: Problems, name: string, place: Place): void {
  const fault = faultOfNewFieldName(name);
  if (fault !== undefined) content.add('invalid-field-name', place, fault);
}

/** A linkage. A value that is not a linkage is a fault of shape, and a malformed link is a fault of content. */
function readLinks(shape: Problems, content: Problems, data: Parsed | undefined, place: Place): Linkage {
  if (data === null) return null;
  if (data === undefined) {
    shape.add('invalid-body', place, 'The data member must be a link, an array of links or null.');
    return null;
  }
  if (isList(data)) {
    return data.flatMap((each, index) => readLink(shape, content, each, inside(place, index)) ?? []);
  }
  return readLink(shape, content, data, place);
}

/** The service's own types that links may lead to. */
const LINKED_TYPES = coreTypesThat((facts) => facts.linkable);

function readLink(shape: Problems, content: Problems, value: Parsed, place: Place): Link | null {
  const { type, id } = isParsedObject(value) ? value : {};
  const lid = memberAt(value, 'lid');
  if (shape.locals !== undefined && lid !== undefined) {
    return readLocalLink(shape, shape.locals, type, lid, id === undefined, place);
  }
  if (typeof type !== 'string' || typeof id !== 'string') {
    content.add('invalid-relationship', place, 'A link must be an object with the strings type and id.');
  } else if (isOutputType(type)) {
    // Whether the relationship may have it, the settings of the type say (linked/links.ts).
    if (isOutputId(id)) return { type: storedType(type), id: madeId(id) };
    const most = LIMITS.outputId;
    const detail = `The id of a link to an aggregate must be one that a path can hold, of at most ${most} bytes.`;
    content.add('invalid-relationship', place, detail);
  } else if (!isLinkable(type)) {
    content.add(
      'invalid-relationship',
      place,
      () => `No link leads to the type ${shownName(type)}.${offerOf(type, LINKED_TYPES)}`,
    );
  } else {
    const known = readId(id);
    if (known !== undefined) return { type: storedType(type), id: known };
    content.add('invalid-relationship', place, 'The id of a link must have 24 hexadecimal digits.');
  }
  return null;
}

/** A link by a name within the request: the collection replaces the placeholder by the id. */
function readLocalLink(
  shape: Problems,
  locals: LocalIds,
  type: Parsed | undefined,
  lid: Parsed,
  alone: boolean,
  place: Place,
): Link | null {
  if (typeof type !== 'string' || typeof lid !== 'string' || !alone) {
    shape.add('invalid-body', place, 'A link must be an object with the strings type and either id or lid.');
    return null;
  }
  const id = locals.find(type, lid);
  if (id !== undefined) return { type: storedType(type), id };
  shape.add('invalid-body', inside(place, 'lid'), locals.unknown(type, lid));
  return null;
}
