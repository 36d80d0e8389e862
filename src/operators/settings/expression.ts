/**
 * Expressions in the settings of a type (docs/types.md), over a write: the document before and after it, and its
 * sender. They are read once, and take no more work than a write may.
 */
import { LIMITS, TOLD, WORK } from '../../domain/limits.ts';
import { sentenceOf, unknownName, type Detail } from '../../domain/names.ts';
import { inside, within, type Place } from '../../domain/pointer.ts';
import { withoutAuditFields } from '../../domain/audit-fields.ts';
import type { Requester } from '../../domain/rules.ts';
import { parseJson, textOfParsed } from '../../domain/values/json.ts';
import { isList } from '../../domain/values/tree.ts';
import { isFields, ObjectId, type Fields, type Value } from '../../domain/values/values.ts';
import { toParsed } from '../../domain/values/wrappers.ts';
import { CONTEXT, NAMES } from '../context.ts';
import type { Frame, Scope } from '../core/expression.ts';
import { Meter, Stop, type Operand } from '../core/meter.ts';
import { parseExpression } from '../core/parse.ts';
import { valueAt } from '../core/paths.ts';
import { readRule, type RuleCondition } from '../filter/rule.ts';
import { goesThrough } from '../filter/through.ts';
import type { Path } from '../../query/walk.ts';
import { isTrue } from '../numbers/kinds.ts';

/** A write of one document, as expressions see it. */
export interface Moment {
  /** The document as it was; null for one that is created. */
  readonly before: Fields | null;
  /** As the write leaves it; null for one that is deleted. */
  readonly after: Fields | null;
  /** Null where the service itself writes. */
  readonly requester: Requester | null;
  readonly now: Date;
  /** The relationships of the document before or after, with the fields of the linked documents that paths ask for. */
  readonly linked: (side: 'before' | 'after') => Fields;
  /** The attributes of the user behind the request that the settings list. */
  readonly viewer: () => Fields;
}

export interface SettingsExpression {
  /** Fails, with a sentence, where it has no value for this write. `copied`: fields that were copied for it alone. */
  readonly evaluate: (moment: Moment, meter: Meter, copied?: number) => Evaluated;
  /** The fields of the document that it looks at; null for all. */
  readonly fields: ReadonlySet<string> | null;
  /** Paths that may go on in linked documents (`$variant.price`). */
  readonly linked: readonly Path[];
  /** Whether it is true, where no write can change that; null also where it says so plainly, by true or false. */
  readonly constant: boolean | null;
}

export type Evaluated =
  | { readonly ok: true; readonly value: Operand }
  | { readonly ok: false; readonly detail: string };

/** Reads what a text of settings holds; faults are told with their places in it. */
export class SettingsReading {
  readonly folding = new Meter(FOLDING);
  readonly #report: (place: Place, detail: string) => void;
  /** What expressions may ask of the viewer beside who that is; null for any. */
  readonly viewer: readonly string[] | null;
  faults = 0;

  constructor(report: (place: Place, detail: string) => void, viewer: readonly string[] | null) {
    this.#report = report;
    this.viewer = viewer;
  }

  readonly fault = (place: Place, detail: Detail): void => {
    this.faults += 1;
    if (this.faults <= TOLD.inBody) this.#report(place, sentenceOf(detail));
  };

  /** The JSON of a text; null for none. */
  open(text: string): Value {
    const parsed = text.length > LIMITS.settingsRules ? null : parseJson(text, LIMITS.jsonDepth);
    if (parsed === null) this.fault(null, `This may hold ${LIMITS.settingsRules} characters.`);
    // A request with a number that no value can hold was refused, so the parsed JSON is a value.
    return parsed?.ok === true ? (parsed.value as Value) : null;
  }
}

/** A filter in settings, as rules of permissions take it; null where it has a fault. `others`: what compares fields. */
export function readFilter(
  value: Fields,
  place: Place,
  reading: SettingsReading,
  others: string,
): RuleCondition | null {
  const filter = readRule(textOfParsed(toParsed(value)), (at, detail) => {
    reading.fault(within(place, at), detail);
  });
  for (const at of filter?.diagnostics ?? []) reading.fault(within(place, at), others);
  return filter;
}

/** The work of copying a field, in steps. */
const COPYING = 10;

/** For working out constants, over the whole settings. */
const FOLDING = { work: WORK.pipelineConstants, held: 1024 * 1024 };

const VARIABLES = ['before', 'after', 'viewer', 'key', 'now', 'method'];
const OF_VIEWER = ['id', 'type', 'groups'];

export function readExpression(value: Value, place: Place, reading: SettingsReading): SettingsExpression {
  const seen = new Set<string | null>();
  const linked: Path[] = [];
  const scope: Scope = {
    context: CONTEXT,
    names: NAMES,
    report: reading.fault,
    parameters: {},
    variables: new Map(VARIABLES.map((name, slot) => [name, slot])),
    slots: VARIABLES.length + SIDES.length,
    folding: reading.folding,
    changing: () => undefined,
    reads: (field) => seen.add(field),
    auditFields: () => true,
    parse: (part, at, within) => {
      const plain = parseExpression(part, at, within);
      const through = typeof part === 'string' ? readThrough(part, within) : null;
      if (through === null) return plain;
      const { slot, path } = through;
      linked.push(path);
      return { evaluate: ({ slots, meter }) => valueAt(slots[slot], path, meter), constant: null };
    },
  };
  const expression = scope.parse(value, place, scope);
  const viewer = look(value, place, seen, reading);
  const fields = seen.has(null) ? null : (seen as ReadonlySet<string>);
  const uses = { fields, linked: linked.length > 0, viewer };
  const evaluate = (moment: Moment, meter: Meter, copied = 0): Evaluated => {
    try {
      meter.spend(COPYING * copied);
      return { ok: true, value: expression.evaluate(frameOf(moment, meter, uses)) };
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      return { ok: false, detail: error.overBudget ? 'It takes too much work.' : error.message };
    }
  };
  const { constant } = expression;
  return {
    evaluate,
    fields,
    linked,
    constant: typeof value === 'boolean' ? null : constant && isTrue(constant.value),
  };
}

/** A path whose second name is none of a link, and the slot of the document that it begins in. */
function readThrough(text: string, { variables }: Scope) {
  const [, side = 'CURRENT', path = ''] = THROUGH.exec(text) ?? [];
  const at = VARIABLES.indexOf(side);
  const isOwn = variables.get(side) === (at === -1 ? undefined : at);
  const names = path.split('.');
  if (!isOwn || names.length < 2 || !goesThrough(names)) return null;
  return { slot: VARIABLES.length + Math.max(0, SIDES.indexOf(side)), path: names };
}

/** What an expression asks of the document, and beside it and who writes. */
interface Uses extends Pick<SettingsExpression, 'fields'> {
  readonly linked: boolean;
  readonly viewer: boolean;
}

function frameOf({ requester, now, ...moment }: Moment, meter: Meter, uses: Uses): Frame {
  const before = moment.before && only(moment.before, uses.fields);
  const after = moment.after && only(moment.after, uses.fields);
  const user = requester?.named ?? null;
  const viewer = user && {
    ...(uses.viewer && moment.viewer()),
    id: new ObjectId(user.user.id),
    type: user.user.type,
    groups: user.groups.map((id) => new ObjectId(id)),
  };
  const key = requester?.key ?? null;
  const method = before === null ? 'post' : after === null ? 'delete' : 'patch';
  const named: Operand[] = [
    before === null ? undefined : withoutAuditFields(before),
    after === null ? undefined : withoutAuditFields(after),
    viewer ?? undefined,
    key === null ? undefined : new ObjectId(key),
    now,
    method,
  ];
  const root = after ?? before ?? {};
  if (uses.linked) {
    const was = before && { ...before, ...moment.linked('before') };
    const is = after && { ...after, ...moment.linked('after') };
    named.push(is ?? was ?? {}, was ?? undefined, is ?? undefined);
  }
  return { root, slots: [...named], meter, now, random: Math.random };
}

/** A document with the fields that an expression looks at: settings may have many, of which each takes few of them. */
function only(document: Fields, names: ReadonlySet<string> | null): Fields {
  if (names === null) return document;
  return Object.fromEntries(
    [...names].flatMap((name) => (Object.hasOwn(document, name) ? [[name, document[name] ?? null]] : [])),
  );
}

/** Documents that paths through links begin in, each in a slot after those of the variables. */
const SIDES = ['CURRENT', 'before', 'after'];
const THROUGH = /^\$(?:\$(CURRENT|ROOT|before|after)\.)?([^$].*)$/;

const NAMED = /^\$\$(before|after|viewer)(?:\.([^.]*)|$)/;

/**
 * Notes the fields of the document before and after, and tells what the viewer lacks: else that would just be missing.
 * Whether it asks attributes of the viewer.
 */
function look(value: Value, place: Place, seen: Set<string | null>, reading: SettingsReading): boolean {
  if (typeof value === 'string') {
    const [, name, member] = NAMED.exec(value) ?? [];
    if (name === 'before' || name === 'after') seen.add(member ?? null);
    if (name !== 'viewer' || member === undefined || OF_VIEWER.includes(member)) return false;
    if (reading.viewer?.includes(member) !== false) return true;
    const names = [...OF_VIEWER, ...reading.viewer].map((each) => `$$viewer.${each}`);
    reading.fault(place, unknownName(`$$viewer.${member}`, { what: 'variable', names }));
    return false;
  }
  if (typeof value !== 'object' || !(isList(value) || isFields(value))) return false;
  return Object.entries<Value>(value)
    .filter(([name]) => name !== '$literal')
    .map(([name, each]) => look(each, inside(place, isList(value) ? Number(name) : name), seen, reading))
    .includes(true);
}
