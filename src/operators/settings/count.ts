/** Attributes that count the documents that link to theirs, as the settings of a type say (docs/types.md). */
import { Lru } from '../../domain/caching/lru.ts';
import { recall } from '../../domain/caching/recall.ts';
import { faultOfNewFieldName, isNewFieldName } from '../../domain/field-names.ts';
import { LIMITS } from '../../domain/limits.ts';
import { strangersIn } from '../../domain/names.ts';
import { inside, pointerOf, type Place } from '../../domain/pointer.ts';
import { secretFields } from '../../domain/secrets.ts';
import { isLinkable } from '../../domain/types/facts.ts';
import type { TypeSettings } from '../../domain/types/settings.ts';
import { storedType, type TypeName } from '../../domain/types.ts';
import { encodeText } from '../../domain/values/codec.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { isFields, type Value } from '../../domain/values/values.ts';
import { decodeCondition } from '../filter/encoded.ts';
import { withoutFields } from '../filter/hidden.ts';
import { together, type RuleCondition } from '../filter/rule.ts';
import { failClosed } from '../filter/through.ts';
import { readFilter, SettingsReading } from './expression.ts';

export interface Counter {
  readonly name: string;
  /** The counted documents, and their relationship that links here. */
  readonly type: TypeName;
  readonly by: string;
  /** What they meet; null for all. */
  readonly where: RuleCondition | null;
  /** The pointer to it in the attributes of the settings. */
  readonly at: string;
}

/** Read settings of this isolate. */
const known = new Lru<string, readonly Counter[]>(200);
const NONE: readonly Counter[] = [];

/** The counters of the settings in force. */
export function countersOf(settings: Pick<TypeSettings, 'count'> | null): readonly Counter[] {
  const text = settings?.count ?? null;
  return text === null ? NONE : recall(known, text, () => readCount(text, () => undefined));
}

/** What the counted documents meet, in the stored encoding; null for all. */
export function whereOf({ type, where }: Counter): string | null {
  const encoded = where?.encoded ?? null;
  // Secrets are missing: else whoever writes settings could ask for them.
  const unseen = { hidden: secretFields(type), only: null };
  return encoded && encodeText(withoutFields(failClosed(decodeCondition(together(encoded))), unseen));
}

const MEMBERS = ['type', 'by', 'where'];

/** Reads the JSON text of `count`; places begin inside it. What cannot be read counts nothing. */
export function readCount(
  text: string,
  report: (place: Place, detail: string) => void,
  taken: readonly string[] = [],
): readonly Counter[] {
  const reading = new SettingsReading(report, null);
  const counters = reading.open(text);
  if (!isFields(counters) || Object.keys(counters).length > LIMITS.settingsCount) {
    const form = 'such as {"comments": {"type": "comments", "by": "post"}}';
    reading.fault(null, `This must be an object of at most ${LIMITS.settingsCount} members, ${form}.`);
    return [];
  }
  return Object.entries(counters).flatMap(([name, value]) => {
    const place = inside(null, name);
    const { faults } = reading;
    const fault = faultOfNewFieldName(name);
    if (fault !== undefined) reading.fault(place, fault);
    if (taken.includes(name)) reading.fault(place, 'An inverse, or a computed field, has this name.');
    const counter = readCounter(value, place, reading);
    const at = pointerOf(inside(inside(null, 'count'), name));
    return counter === null || reading.faults > faults ? [] : [{ name, ...counter, at }];
  });
}

function readCounter(value: Value, place: Place, reading: SettingsReading) {
  if (!isFields(value)) {
    reading.fault(place, 'A counter must be an object with type, by and, if it needs one, where.');
    return null;
  }
  for (const [name, detail] of strangersIn(value, MEMBERS)) reading.fault(inside(place, name), detail);
  const type = memberOf(value, 'type');
  const by = memberOf(value, 'by');
  const isType = typeof type === 'string' && isLinkable(type);
  if (!isType) reading.fault(inside(place, 'type'), 'The type must be one whose documents are stored.');
  const isName = typeof by === 'string' && isNewFieldName(by);
  if (!isName) reading.fault(inside(place, 'by'), 'The member by must be the name of a relationship.');
  const where = readWhere(memberOf(value, 'where'), inside(place, 'where'), reading);
  return isType && isName ? { type: storedType(type), by, where } : null;
}

/** A filter as rules of permissions take it, the same for all viewers at all times. */
function readWhere(value: Value | undefined, place: Place, reading: SettingsReading): RuleCondition | null {
  if (value === undefined) return null;
  if (!isFields(value)) {
    reading.fault(place, 'The member where must be an object, as filter[*] takes it.');
    return null;
  }
  const others = 'Fields are compared with values, and not with one another.';
  const where = readFilter(value, place, reading, others);
  if (where !== null && where.encoded === null)
    reading.fault(place, 'A counter is the same for everybody, at every time: it takes no variables.');
  return where;
}
