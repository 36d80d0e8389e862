/** Changes of a document as pure functions: what it is after a PATCH or a change of one relationship. */
import { distinctLinks, keyOf, linksOf, type Content, type Linkage } from '../../../domain/documents.ts';
import { LIMITS, TOLD } from '../../../domain/limits.ts';
import { placeOf, pointerOf, inside, type Place } from '../../../domain/pointer.ts';
import { fail, failed, ok, problem, type Outcome, type Problem } from '../../../domain/problems.ts';
import { applyUpdate } from '../../../operators/update/apply.ts';
import { attributesSeen, pathsOf, type Update } from '../../../operators/update/update.ts';
import { decodeFields, decodeText, encodeFields, reviveFields } from '../../../domain/values/codec.ts';
import type { WorkBudget } from '../../../domain/work/work.ts';
import {
  packContent,
  packParts,
  partsOf,
  type StoredContent,
  unpackContent,
} from '../../../domain/values/stored.ts';
import { faultOfTarget, type Relink, type Change } from '../../rpc/writes/operations.ts';
import { textOfNumber } from '../../../domain/values/present.ts';
import {
  Decimal,
  Double,
  isFields,
  Long,
  longOf,
  ObjectId,
  Oversized,
  WrappedLong,
  type Fields,
  type Value,
} from '../../../domain/values/values.ts';
import { compareExact, exactOfText } from '../../../domain/values/exact.ts';
import { isNumber, type NumberValue } from '../../../query/order/numbers.ts';
import { memberOf, isList, mapFields } from '../../../domain/values/tree.ts';

/** The document after the change, or why the change is impossible. `shared`: what the updates of a list may take. */
export function applyChange(
  before: StoredContent,
  change: Change,
  now: Date,
  shared: WorkBudget | null = null,
): Outcome<StoredContent> {
  const after = changed(before, change, now, shared);
  return after.ok ? withinSize(after.value) : after;
}

function changed(
  before: StoredContent,
  change: Change,
  now: Date,
  shared: WorkBudget | null,
): Outcome<StoredContent> {
  if (change.kind !== 'merge') return packed(relink(unpackContent(before), change));
  const { content, update, whole } = change;
  if (whole === true) return ok(content);
  const merged = merge(before, content);
  if (!merged.ok || update === undefined) return merged;
  return packed(updated(unpackContent(merged.value), updateOf(update), now, shared));
}

function packed(content: Outcome<Content>): Outcome<StoredContent> {
  return content.ok ? ok(packContent(content.value)) : content;
}

/** Operators change attributes alone: links are what requests about links say. */
function updated(
  { attributes, relationships }: Content,
  update: Update,
  now: Date,
  shared: WorkBudget | null,
): Outcome<Content> {
  const collisions = update.flatMap((step) =>
    pathsOf(step)
      .filter(([name = '']) => Object.hasOwn(relationships, name))
      .map(([name = '']) =>
        problem('field-collision', `The document has a relationship named ${name}.`, {
          pointer: pointerOf(placeOf('data', 'meta', 'update', step.op, step.path.join('.'))),
        }),
      ),
  );
  if (collisions.length > 0) return failed(...collisions.slice(0, TOLD.inBody));
  const after = applyUpdate(attributes, update, now, shared);
  return after.ok ? ok({ attributes: after.value, relationships }) : after;
}

/**
 * A change by an actor who may not read the document. A removal of links succeeds whatever the field is, so the actor
 * does not learn whether it is a relationship.
 */
export function blind(before: StoredContent, change: Change): Change {
  if (change.kind !== 'remove-links') return change;
  const names = JSON.parse(before.relationships ?? '[]') as string[];
  return names.includes(change.name) ? change : NO_CHANGE;
}

/**
 * Whether a change would tell an actor what is stored in fields that the actor does not see: with plain numbers that
 * fit no kind (`Oversized`), whether they equal the stored ones; with operators that look at stored values, these.
 */
export function asksOfStored(change: Change, isSeen: (name: string) => boolean): boolean {
  if (change.kind !== 'merge') return false;
  const { content, update } = change;
  // In JSON text this can only be a wrapper's name: a quote inside a string has a backslash.
  if (content.body.includes('{"$number":') && !Object.keys(decodeFields(content.body)).every(isSeen))
    return true;
  return update !== undefined && ![...attributesSeen(updateOf(update))].every(isSeen);
}

/** An update, of its stored encoding. */
function updateOf(text: string): Update {
  return decodeText(text) as unknown as Update;
}

const NO_CHANGE: Change = { kind: 'merge', content: { body: '{}', relationships: null } };

/** Refuses content beyond the size of a document (decisions, section 6). */
export function withinSize(content: StoredContent): Outcome<StoredContent> {
  // A UTF-16 unit is at most three bytes: most documents need no counting.
  const size = content.body.length * 3 <= LIMITS.document ? 0 : new TextEncoder().encode(content.body).length;
  return size > LIMITS.document
    ? fail(
        'document-too-large',
        `A document holds at most ${LIMITS.document} bytes; this one would have ${size}.`,
      )
    : ok(content);
}

/**
 * A value sent back as answers show it stays as it is; the rest of the change replaces or adds. Of the document, only
 * what the change names is decoded.
 */
function merge(before: StoredContent, sent: StoredContent): Outcome<StoredContent> {
  const stored = partsOf(before);
  const changes = partsOf(sent);
  const collisions = [
    ...collide('attributes', changes.attributes, stored.relationships),
    ...collide('relationships', changes.relationships, stored.attributes),
  ];
  if (collisions.length > 0) return failed(...collisions);
  const faults: Problem[] = [];
  const place = placeOf('data', 'attributes');
  const known = reviveFields(pick(stored.attributes, changes.attributes));
  const kept = keepFields(known, reviveFields(changes.attributes), place, (at, digits) => {
    const pointer = pointerOf(at);
    faults.push(problem('invalid-value', `The number ${digits} fits no kind of number.`, { pointer }));
  });
  if (faults.length > 0) return failed(...faults.slice(0, TOLD.inBody));
  return ok(
    packParts({
      attributes: { ...stored.attributes, ...encodeFields(kept) },
      relationships: { ...stored.relationships, ...changes.relationships },
    }),
  );
}

/** The members of an object whose names another has. */
function pick<T>(members: Readonly<Record<string, T>>, others: object): Record<string, T> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(others, name)));
}

function collide(member: 'attributes' | 'relationships', changed: object, others: object) {
  const other = member === 'attributes' ? 'a relationship' : 'an attribute';
  return Object.keys(changed)
    .filter((name) => Object.hasOwn(others, name))
    .map((name) =>
      problem('field-collision', `The document has ${other} named ${name}.`, {
        pointer: pointerOf(placeOf('data', member, name)),
      }),
    );
}

function relink(before: Content, change: Relink): Outcome<Content> {
  const { name } = change;
  const fault = faultOfTarget(before, change);
  if (fault !== null) return failed(fault);
  const current = Object.hasOwn(before.relationships, name) ? before.relationships[name] : undefined;
  const linkage = linkageAfter(current ?? null, change);
  return ok({
    attributes: before.attributes,
    relationships: Object.fromEntries([...Object.entries(before.relationships), [name, linkage]]),
  });
}

/** Adding and removing turn a to-one relationship into a to-many one (spec, Relationship endpoints). */
function linkageAfter(current: Linkage, { kind, linkage }: Relink): Linkage {
  switch (kind) {
    case 'replace-links':
      return linkage;
    case 'add-links':
      return distinctLinks([...linksOf(current), ...linksOf(linkage)]);
    case 'remove-links': {
      const removed = new Set(linksOf(linkage).map(keyOf));
      return linksOf(current).filter((link) => !removed.has(keyOf(link)));
    }
  }
}

/** A field that a client's write names, and where in its body. */
export type GivenField = readonly [name: string, pointer: string];

export function givenIn(content: StoredContent): readonly GivenField[] {
  const { attributes, relationships } = partsOf(content);
  return Object.entries({ attributes, relationships }).flatMap(([member, fields]) =>
    Object.keys(fields).map((name): GivenField => [name, pointerOf(placeOf('data', member, name))]),
  );
}

export function givenBy(change: Change): readonly GivenField[] {
  if (change.kind !== 'merge') return [[change.name, '/data']];
  const steps = change.update === undefined ? [] : updateOf(change.update);
  const updated = steps.flatMap((step) =>
    pathsOf(step).map(([name = '']): GivenField => [
      name,
      pointerOf(placeOf('data', 'meta', 'update', step.op, step.path.join('.'))),
    ]),
  );
  return [...givenIn(change.content), ...updated];
}

/** Called for each plain number that fits no kind and is not the stored one. */
type ReportOversized = (place: Place, digits: string) => void;

/**
 * The value to store when `sent` replaces `stored`: a value sent back as an answer shows it keeps its kind (decisions,
 * section 2), because most clients read a document, change one field and send all of them back, in plain JSON. At any
 * depth, members by name and items by position. Wrapped values stay as sent. Without a value, `stored` is undefined.
 */
function keepUnchanged(stored: Value | undefined, sent: Value, place: Place, report: ReportOversized): Value {
  if (typeof sent === 'string') return isShownAs(stored, sent) ? stored : sent;
  if (sent instanceof WrappedLong) return longOf(sent.value) ?? sent;
  if (isPlainNumber(sent)) {
    if (stored !== undefined && isNumber(stored) && isSameNumber(stored, sent)) return stored;
    if (sent instanceof Oversized) report(place, sent.text);
    return sent;
  }
  if (isList(sent)) {
    const items = stored !== undefined && isList(stored) ? stored : [];
    return sent.map((item, index) => keepUnchanged(items[index], item, inside(place, index), report));
  }
  if (!isFields(sent)) return sent;
  return keepFields(stored !== undefined && isFields(stored) ? stored : {}, sent, place, report);
}

/** The same for the sent members of an object. */
function keepFields(stored: Fields, sent: Fields, place: Place, report: ReportOversized): Fields {
  return mapFields(sent, (value, name) =>
    keepUnchanged(memberOf(stored, name), value, inside(place, name), report),
  );
}

function isShownAs(stored: Value | undefined, text: string): stored is Date | ObjectId {
  if (stored instanceof Date) return stored.toISOString() === text;
  return stored instanceof ObjectId && stored.hex === text;
}

/**
 * True for a number that was sent without a wrapper: decimals always have a wrapper, a plain integer beyond 2^53 is
 * a long.
 */
function isPlainNumber(sent: Value): sent is number | Double | Long | Oversized {
  if (typeof sent === 'number' || sent instanceof Double || sent instanceof Oversized) return true;
  return sent instanceof Long && !Number.isSafeInteger(Number(sent.value));
}

/**
 * Whether a plain number is the one that an answer shows of the stored one. An integer is exact, so it must be equal to
 * the last digit. A number with a fraction or an exponent is a double, so the shown digits must read as that double: a
 * client that reads JSON numbers as doubles cannot send anything else.
 */
function isSameNumber(stored: NumberValue, sent: number | Double | Long | Oversized): boolean {
  if (typeof stored === 'number' && typeof sent === 'number') return stored === sent;
  const shown = textOfNumber(stored);
  const double = sent instanceof Double ? sent.value : sent;
  if (typeof double === 'number' && (sent instanceof Double || !Number.isInteger(double))) {
    return (stored instanceof Double || stored instanceof Decimal) && Number(shown) === double;
  }
  const one = exactOfText(shown);
  const other = exactOfText(textOfNumber(sent));
  return one !== undefined && other !== undefined && compareExact(one, other) === 0;
}
