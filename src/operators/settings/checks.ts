/** Checks in the settings of a type (docs/types.md), for documents after a write or before a deletion. */
import { LIMITS } from '../../domain/limits.ts';
import { strangersIn } from '../../domain/names.ts';
import { inside, pointerOf, type Place } from '../../domain/pointer.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import { isWriteEvent, WRITE_EVENTS, type WriteEvent } from '../../domain/webhooks.ts';
import { EXPRESSION, type RuleCondition } from '../filter/rule.ts';
import { readExpression, readFilter, SettingsReading, type SettingsExpression } from './expression.ts';

export interface TypeCheck {
  /** Null for what a key says. */
  readonly name: string | null;
  readonly message: string | null;
  readonly on: readonly WriteEvent[];
  /** The filter beside its `$expr`; null for none. */
  readonly filter: RuleCondition | null;
  readonly expression: SettingsExpression | null;
  /** The pointer to the filter in the attributes of the settings. */
  readonly at: string;
  /** True for one that is stored and cannot be read: it holds for no document. */
  readonly isClosed: boolean;
}

const MEMBERS = ['name', 'on', 'filter', 'message'];
const CHANGES: readonly WriteEvent[] = ['create', 'update'];

/** Reads the JSON text of checks; places begin inside it. */
export function readChecks(
  text: string,
  report: (place: Place, detail: string) => void,
  viewer: readonly string[] | null = null,
): readonly TypeCheck[] {
  const reading = new SettingsReading(report, viewer);
  const list = reading.open(text);
  if (!isList(list) || list.length > LIMITS.settingsChecks) {
    reading.fault(null, `The checks must be an array of at most ${LIMITS.settingsChecks} objects.`);
    return [CLOSED];
  }
  const names = new Set<string | null>();
  return list.map((each, index) => {
    const place = inside(null, index);
    const before = reading.faults;
    const check = readCheck(each, place, reading);
    if (names.has(check.name)) reading.fault(inside(place, 'name'), 'Another check has this name.');
    names.add(check.name);
    return reading.faults > before ? { ...check, isClosed: true } : check;
  });
}

const CLOSED: TypeCheck = {
  name: '',
  message: null,
  on: WRITE_EVENTS,
  filter: null,
  expression: null,
  at: '/checks',
  isClosed: true,
};

/** What a key says by an expression, of every create and change; `at`: of the filter that it stands in. */
export function readExpressed(at: string, text: string): TypeCheck {
  const reading = new SettingsReading(() => undefined, null);
  const expression = readExpression(reading.open(text), null, reading);
  return { ...CLOSED, name: null, on: CHANGES, expression, at, isClosed: reading.faults > 0 };
}

function readCheck(value: Value, place: Place, reading: SettingsReading): TypeCheck {
  if (!isFields(value)) {
    reading.fault(place, 'A check must be an object with name and filter.');
    return CLOSED;
  }
  for (const [name, detail] of strangersIn(value, MEMBERS)) reading.fault(inside(place, name), detail);
  const filter = inside(place, 'filter');
  return {
    name: readText(value, 'name', place, reading) ?? '',
    message: memberOf(value, 'message') === undefined ? null : readText(value, 'message', place, reading),
    on: readEvents(memberOf(value, 'on'), inside(place, 'on'), reading),
    ...readConditions(memberOf(value, 'filter'), filter, reading),
    at: pointerOf(inside(inside(null, 'checks'), place?.key ?? '')) + '/filter',
    isClosed: false,
  };
}

function readText(check: Fields, name: string, place: Place, reading: SettingsReading): string | null {
  const text = memberOf(check, name);
  if (typeof text === 'string' && text !== '' && text.length <= LIMITS.settingsMessage) return text;
  reading.fault(
    inside(place, name),
    `The ${name} must be a string of 1 to ${LIMITS.settingsMessage} characters.`,
  );
  return null;
}

function readEvents(value: Value | undefined, place: Place, reading: SettingsReading): readonly WriteEvent[] {
  if (value === undefined) return CHANGES;
  const events = isList(value) ? value.filter(isWriteEvent) : [];
  if (isList(value) && events.length > 0 && events.length === value.length) return events;
  reading.fault(place, `This must be an array of ${WRITE_EVENTS.join(', ')}: one of them, or more.`);
  return WRITE_EVENTS;
}

/** A filter as rules of permissions take it, and `$expr` beside it, as MongoDB has it. */
function readConditions(
  value: Value | undefined,
  place: Place,
  reading: SettingsReading,
): Pick<TypeCheck, 'filter' | 'expression'> {
  if (value === undefined || !isFields(value)) {
    reading.fault(place, 'The filter must be an object, as filter[*] takes it, with or without $expr.');
    return { filter: null, expression: null };
  }
  const { $expr: sent, ...others } = value;
  const expression = sent === undefined ? null : readExpression(sent, inside(place, '$expr'), reading);
  if (sent !== undefined && Object.keys(others).length === 0) return { filter: null, expression };
  const filter = readFilter(others, place, reading, `${EXPRESSION} Fields are compared by $expr.`);
  return { filter, expression };
}
