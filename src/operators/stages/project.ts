/** `project`: fields taken over, left out, or made by expressions, as MongoDB's `$project` with `id` for its id. */
import { isFields, setField, type Fields, type Value } from '../../domain/values/values.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { isWrapperName } from '../../domain/values/wrappers.ts';
import { isNumber } from '../../query/order/numbers.ts';
import type { Expression, Frame, Scope } from '../core/expression.ts';
import type { Operand } from '../core/meter.ts';
import { isTrue } from '../numbers/kinds.ts';
import { readPath } from '../core/paths.ts';
import {
  frameOf,
  mapped,
  refuseStage,
  remakesOf,
  type FieldPath,
  type ReadStage,
  type Start,
} from './stage.ts';
import { isList } from '../../domain/values/tree.ts';

/** What is to happen with a field. */
type Rule =
  | { readonly kind: 'include' }
  | { readonly kind: 'exclude' }
  | { readonly kind: 'compute'; readonly expression: Expression }
  | { readonly kind: 'nested'; readonly rules: Map<string, Rule> };

type Rules = ReadonlyMap<string, Rule>;

type Mode = 'include' | 'exclude';

/** State that the reading of one projection shares. */
interface Reading {
  readonly scope: Scope;
  /** Set by the first field that decides it; the others must agree. */
  mode: Mode | undefined;
  faulty: boolean;
}

export const project: ReadStage = (argument, at) => {
  if (!isFields(argument) || Object.keys(argument).length === 0) {
    return refuseStage(at, 'project takes an object with at least one field.');
  }
  const reading: Reading = { scope: at.scope, mode: undefined, faulty: false };
  const rules = new Map<string, Rule>();
  readRules(argument, rules, at.place, reading, true);
  if (reading.faulty) return null;
  const id = rules.get('id');
  // Of the id alone it may be said that it is left out while others are taken.
  const mode = reading.mode ?? (id?.kind === 'exclude' ? 'exclude' : 'include');
  if (mode === 'include' && id === undefined) rules.set('id', { kind: 'include' });
  const start = startProject(rules, mode);
  const keepsIds = mode === 'exclude' ? id === undefined : rules.get('id')?.kind === 'include';
  const sourceOf = (path: FieldPath) => (mode === 'exclude' ? unlessIn(rules, path) : sourceIn(rules, path));
  const step = { kind: 'step', start, streams: true, keepsIds, sourceOf } as const;
  if (mode === 'exclude') return step;
  const taken = [...rules].flatMap(([name, rule]) => (takes(rule) ? [name] : []));
  // An id that is kept is looked at where a stage behind this one does so.
  for (const name of taken) if (name !== 'id' || !keepsIds) at.scope.reads(name);
  return { ...step, remakes: remakesOf(taken) };
};

/** A path that no rule is about. */
function unlessIn(rules: Rules, path: FieldPath): FieldPath | null {
  return rules.has(path[0] ?? '') ? null : path;
}

/** Where a value was before it was taken over, or read by an expression that is a path. */
function sourceIn(rules: Rules, [name = '', ...rest]: FieldPath): FieldPath | null {
  const rule = rules.get(name);
  if (rule?.kind === 'include') return [name, ...rest];
  const source = rule?.kind === 'compute' ? rule.expression.path : undefined;
  return source === undefined ? null : [...source, ...rest];
}

function readRules(
  fields: Fields,
  into: Map<string, Rule>,
  place: Place,
  reading: Reading,
  top: boolean,
): void {
  for (const [name, value] of Object.entries(fields)) {
    const here = inside(place, name);
    const path = readPath(name);
    if (typeof path === 'string') fault(here, path, reading);
    else addRule(path, value, into, here, reading, top);
  }
}

function addRule(
  path: readonly string[],
  value: Value,
  into: Map<string, Rule>,
  place: Place,
  reading: Reading,
  top: boolean,
): void {
  const [name = '', ...rest] = path;
  const known = into.get(name);
  if (rest.length === 0 && !isNestedForm(value)) {
    if (known !== undefined) fault(place, `${name} is told twice what to do.`, reading);
    else into.set(name, readRule(value, place, reading, top && name === 'id'));
    return;
  }
  if (known !== undefined && known.kind !== 'nested') {
    fault(place, `${name} is told twice what to do.`, reading);
    return;
  }
  const rules = known?.rules ?? new Map<string, Rule>();
  into.set(name, { kind: 'nested', rules });
  if (rest.length > 0) addRule(rest, value, rules, place, reading, false);
  else if (isFields(value)) {
    if (Object.keys(value).length === 0) fault(place, 'An empty object says nothing of the field.', reading);
    readRules(value, rules, place, reading, false);
  }
}

/** True for an object that is neither an operator nor a wrapper: rules for the fields inside. */
function isNestedForm(value: Value): boolean {
  return isFields(value) && !Object.keys(value).some((name) => name.startsWith('$') || isWrapperName(name));
}

function readRule(value: Value, place: Place, reading: Reading, isId: boolean): Rule {
  if (typeof value === 'boolean' || isNumber(value)) {
    const kind = isTrue(value) ? 'include' : 'exclude';
    if (!isId || kind === 'include') agree(kind, place, reading, isId);
    return { kind };
  }
  // A made id is no less a made field than others: it is not left out beside them.
  agree('include', place, reading, false);
  return { kind: 'compute', expression: reading.scope.parse(value, place, reading.scope) };
}

function agree(mode: Mode, place: Place, reading: Reading, isId: boolean): void {
  if (isId && reading.mode !== undefined) return;
  if (reading.mode !== undefined && reading.mode !== mode) {
    fault(
      place,
      'A projection either takes fields or leaves fields out; only id may be left out beside others.',
      reading,
    );
  }
  if (!isId) reading.mode ??= mode;
}

function fault(place: Place, detail: string, reading: Reading): void {
  reading.scope.report(place, detail);
  reading.faulty = true;
}

function startProject(rules: Rules, mode: Mode): Start {
  return (input, run) => {
    const frame = frameOf(run);
    return mapped(input, run, (document) => {
      frame.root = document;
      frame.meter.spend(2);
      const made = mode === 'include' ? included(document, rules, frame) : excluded(document, rules, frame);
      return frame.meter.admit(made);
    });
  };
}

/** The fields taken over in the document's order, then those that are new. */
function included(fields: Fields, rules: Rules, frame: Frame): Fields {
  const made: Record<string, Value> = {};
  for (const name of Object.keys(fields)) {
    const rule = rules.get(name);
    const value = fields[name];
    if (value === undefined || !takes(rule)) continue;
    const kept = rule.kind === 'nested' ? includedIn(value, rule.rules, frame) : value;
    if (kept !== undefined) setField(made, name, kept);
  }
  for (const [name, rule] of rules) {
    const value = takes(rule) && Object.hasOwn(fields, name) ? undefined : newValue(rule, frame);
    if (value !== undefined) setField(made, name, value);
  }
  return made;
}

/** True for what is to happen with a field that is there already. */
function takes(rule: Rule | undefined): rule is Extract<Rule, { readonly kind: 'include' | 'nested' }> {
  return rule?.kind === 'include' || rule?.kind === 'nested';
}

/** The value of a rule where the document has no such field. */
function newValue(rule: Rule, frame: Frame): Operand {
  if (rule.kind === 'compute') return rule.expression.evaluate(frame);
  return rule.kind === 'nested' && computes(rule.rules) ? included({}, rule.rules, frame) : undefined;
}

function computes(rules: Rules): boolean {
  return [...rules.values()].some(
    (rule) => rule.kind === 'compute' || (rule.kind === 'nested' && computes(rule.rules)),
  );
}

/** Rules for the fields inside of a value; an array is gone through, and any other value gives way to new fields. */
function includedIn(value: Value, rules: Rules, frame: Frame): Operand {
  frame.meter.spend(1);
  if (isFields(value)) return frame.meter.admit(included(value, rules, frame));
  if (isList(value)) {
    return frame.meter.admit(
      value.flatMap((item): readonly Value[] => {
        const kept = includedIn(item, rules, frame);
        return kept === undefined ? [] : [kept];
      }),
    );
  }
  return computes(rules) ? frame.meter.admit(included({}, rules, frame)) : undefined;
}

function excluded(fields: Fields, rules: Rules, frame: Frame): Fields {
  frame.meter.spend(1);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, Value][] => {
      const rule = rules.get(name);
      if (rule === undefined || rule.kind === 'include') return [[name, value]];
      return rule.kind === 'nested' ? [[name, excludedIn(value, rule.rules, frame)]] : [];
    }),
  );
}

function excludedIn(value: Value, rules: Rules, frame: Frame): Value {
  if (isFields(value)) return frame.meter.admit(excluded(value, rules, frame));
  return isList(value) ? frame.meter.admit(value.map((item) => excludedIn(item, rules, frame))) : value;
}
