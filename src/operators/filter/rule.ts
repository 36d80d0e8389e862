/**
 * Filters as rules of permissions: read and checked once, when a key is written, with variables for facts of the
 * request. A rule that names the viewer holds for no document where there is none.
 */
import { encodeText } from '../../domain/values/codec.ts';
import { isParsedObject, parseJson, type Parsed, type ParsedObject } from '../../domain/values/json.ts';
import { LIMITS } from '../../domain/limits.ts';
import { unknownName, type Detail } from '../../domain/names.ts';
import { inside, pointerOf, type Place } from '../../domain/pointer.ts';
import type { RuleCheck, Named } from '../../domain/rules.ts';
import { isList, mapTree } from '../../domain/values/tree.ts';
import { isFields, ObjectId, type Value } from '../../domain/values/values.ts';
import { NOTHING, type Condition } from './conditions.ts';
import { GRAMMAR } from './grammar.ts';
import { leavesOf, mapParts, partsOf } from './map.ts';
import type { Scope } from './scope.ts';
import { isFollowable, linkOf } from './through.ts';
import type { Path } from '../../query/walk.ts';

/** A rule before anybody asks. */
export interface RuleCondition {
  /** Conditions that all must hold. */
  readonly parts: readonly Part[];
  /** The same in the stored encoding, where they name nothing and so are the same for all. */
  readonly encoded: readonly RuleCheck[] | null;
  /** Whether it asks linked documents: who follows no links takes it as `failClosed` leaves it. */
  readonly asksLinked: boolean;
  /** The paths that it asks, each with its place; `linked` as `linkOf` gives it, and whether that can be followed. */
  readonly names: readonly {
    readonly path: Path;
    readonly linked: string | null;
    readonly isFollowable: boolean;
    readonly place: Place;
  }[];
  /** Where it has a text that looks like an expression: a rule that is stored so holds for no document. */
  readonly diagnostics: readonly Place[];
  readonly namesViewer: boolean;
  /** Whether it names the time: then what it shows changes while no document does. */
  readonly namesTime: boolean;
}

interface Part {
  readonly place: Place;
  readonly condition: Condition;
}

/** Told of each fault of a rule, with its place inside the rule. */
export type ReportRule = (place: Place, detail: Detail) => void;

const VIEWER_ID = '$$viewer.id';
const VIEWER_TYPE = '$$viewer.type';
const VIEWER_GROUPS = '$$viewer.groups';
const NOW = '$$now';
const VARIABLES: readonly string[] = [VIEWER_ID, VIEWER_TYPE, VIEWER_GROUPS, NOW];

/** Reads the JSON text of a rule; null where something is wrong, which is reported. `express`: is given its `$expr`. */
export function readRule(
  text: string,
  report: ReportRule,
  express?: (sent: Parsed) => void,
): RuleCondition | null {
  let faults = 0;
  const fault: ReportRule = (place, detail) => {
    faults += 1;
    report(place, detail);
  };
  if (new TextEncoder().encode(text).length > LIMITS.filter) {
    fault(null, `A rule may hold ${LIMITS.filter} bytes.`);
    return null;
  }
  const parsed = parseJson(text, LIMITS.filterDepth);
  if (!parsed.ok && parsed.reason === 'twice') {
    fault(parsed.place, parsed.detail);
    return null;
  }
  if (!parsed.ok || !isParsedObject(parsed.value)) {
    fault(null, 'A rule must be a filter: a JSON object, as filter[*] takes it.');
    return null;
  }
  const { $expr: sent, ...others } = parsed.value;
  const isSplit = express !== undefined && sent !== undefined;
  if (isSplit) express(sent);
  const json = withLists(isSplit ? others : parsed.value);
  const once = new Set<string>();
  const scope: Scope = { report: fault, once, within: 'filter', auditFields: true, grammar: GRAMMAR };
  const parts = isParsedObject(json) ? conjunctsOf(json, null, scope) : [];
  const names = new Set<string>();
  const diagnostics: Place[] = [];
  for (const { condition, place } of parts) {
    look(condition, names, (detail) => {
      if (detail === EXPRESSION) diagnostics.push(place);
      else fault(null, detail);
    });
  }
  if (faults > 0) return null;
  const judged = diagnostics.length > 0 ? [NEVER] : parts;
  const fields = namesIn(parts, json);
  return {
    parts: judged,
    encoded: names.size === 0 ? judged.map(encoded) : null,
    asksLinked: fields.some(({ linked }) => linked !== null),
    names: fields,
    diagnostics,
    namesViewer: [VIEWER_ID, VIEWER_TYPE, VIEWER_GROUPS].some((name) => names.has(name)),
    namesTime: names.has(NOW),
  };
}

function namesIn(parts: readonly Part[], json: Parsed): RuleCondition['names'] {
  const names = new Map<string, RuleCondition['names'][number]>();
  for (const { condition, place } of parts) {
    for (const leaf of leavesOf(condition)) {
      const { path } = leaf;
      const linked = linkOf(leaf);
      const found = { path, linked, isFollowable: isFollowable(leaf) };
      names.set(JSON.stringify([path, linked]), {
        ...found,
        place: findKey(json, path.join('.'), null) ?? place,
      });
    }
  }
  return [...names.values()];
}

/** The place of the first member of a name. */
function findKey(json: Parsed, name: string, place: Place): Place {
  if (!isParsedObject(json) && !isList(json)) return null;
  for (const [key, child] of Object.entries(json)) {
    const at = inside(place, key);
    const found = key === name ? at : findKey(child, name, at);
    if (found !== null) return found;
  }
  return null;
}

/** Conditions that all must hold, however deep they are and-ed. */
function conjunctsOf(json: ParsedObject, place: Place, scope: Scope): readonly Part[] {
  return Object.entries(json).flatMap(([name, operand]) => {
    const at = inside(place, name);
    const isNested =
      name === '$and' && isList(operand) && operand.length > 0 && operand.every(isParsedObject);
    return isNested
      ? operand.flatMap((each, index) => conjunctsOf(each, inside(at, index), scope))
      : { place: at, condition: GRAMMAR.query({ [name]: operand }, place, scope) };
  });
}

/** A text that is written as an expression of a pipeline, which a rule does not compute. */
const FIELD = /^\$[A-Za-z_][\w.-]*$/;
export const EXPRESSION =
  'A rule compares a field with values: a text such as "$price" is no value of another field. ' +
  'There are the variables $$viewer.id, $$viewer.type, $$viewer.groups and $$now.';

const NEVER: Part = { place: null, condition: NOTHING };

function encoded({ place, condition }: Part): RuleCheck {
  return { at: pointerOf(place), condition: encodeText(condition) };
}

/** The conditions of a rule for whoever asks now, with their places in it; `named` is null without a user. */
export function bindRule(rule: RuleCondition, named: Named | null, now: Date): readonly RuleCheck[] {
  if (rule.encoded !== null) return rule.encoded;
  if (rule.namesViewer && named === null) return [encoded(NEVER)];
  return rule.parts.map(({ place, condition }) =>
    encoded({ place, condition: bind(condition, { named, now }) }),
  );
}

export function together(checks: readonly RuleCheck[]): string {
  return `{"op":"and","conditions":[${checks.map(({ condition }) => condition).join(',')}]}`;
}

export function bothRules(one: string, other: string): string {
  return `{"op":"and","conditions":[${one},${other}]}`;
}

/** A list operand may be the variable that is a list: the grammar takes lists alone. */
function withLists(json: Parsed): Parsed {
  if (typeof json !== 'object' || json === null || !(isList(json) || isParsedObject(json))) return json;
  const names = isList(json) ? [] : Object.keys(json);
  let position = 0;
  return mapTree(json, (child) => {
    const name = names[position++];
    return (name === '$in' || name === '$nin') && child === VIEWER_GROUPS ? [child] : withLists(child);
  });
}

/** Notes the variables of a condition, and tells what none can hold. */
function look(condition: Condition, names: Set<string>, fault: (detail: Detail) => void): void {
  for (const part of partsOf(condition)) {
    if (part.op === 'text' || part.op === 'near')
      fault('A rule takes no $text, $near or $nearSphere: these search, and do not only tell.');
    if ('condition' in part) look(part.condition, names, fault);
    if ('value' in part) lookInto(part.value, names, fault);
    for (const value of 'values' in part ? part.values : []) {
      if (value === VIEWER_GROUPS) names.add(VIEWER_GROUPS);
      else lookInto(value, names, fault);
    }
  }
}

function lookInto(value: Value, names: Set<string>, fault: (detail: Detail) => void): void {
  if (typeof value === 'string') {
    if (FIELD.test(value)) fault(EXPRESSION);
    if (!value.startsWith('$$')) return;
    if (value === VIEWER_GROUPS) fault(`${VIEWER_GROUPS} is a list: it stands with $in or $nin.`);
    else if (!VARIABLES.includes(value)) {
      fault(() => unknownName(value, { what: 'variable', names: VARIABLES }));
    }
    names.add(value);
  } else if (isList(value)) for (const each of value) lookInto(each, names, fault);
  else if (isFields(value)) for (const each of Object.values(value)) lookInto(each, names, fault);
}

interface Bindings {
  /** Null where the rule names nobody. */
  readonly named: Named | null;
  readonly now: Date;
}

function bind(condition: Condition, bindings: Bindings): Condition {
  return mapParts(condition, (part) => {
    if ('condition' in part) return { ...part, condition: bind(part.condition, bindings) };
    if ('values' in part) {
      return { ...part, values: part.values.flatMap((value) => alternatives(value, bindings)) };
    }
    if (!('value' in part)) return part;
    if (part.op !== 'eq') return { ...part, value: bound(part.value, bindings) };
    const values = alternatives(part.value, bindings);
    const [only, ...others] = values;
    return only !== undefined && others.length === 0
      ? { ...part, value: only }
      : { op: 'in', path: part.path, values, patterns: [] };
  });
}

/** Values that equal an operand: an id is an object id in a link, and a text in many an attribute. */
function alternatives(value: Value, bindings: Bindings): readonly Value[] {
  const { named } = bindings;
  if (named === null) return [bound(value, bindings)];
  if (value === VIEWER_ID) return [new ObjectId(named.user.id), named.user.id];
  if (value === VIEWER_GROUPS) return named.groups.flatMap((id) => [new ObjectId(id), id]);
  return [bound(value, bindings)];
}

function bound(value: Value, bindings: Bindings): Value {
  const { named, now } = bindings;
  if (typeof value === 'string') {
    if (value === NOW) return now;
    if (named === null) return value;
    if (value === VIEWER_ID) return new ObjectId(named.user.id);
    return value === VIEWER_TYPE ? named.user.type : value;
  }
  return isList(value) || isFields(value) ? mapTree(value, (each) => bound(each, bindings)) : value;
}
