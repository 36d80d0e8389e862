/**
 * Reads expressions: paths, variables, operators, and the arrays and objects that hold them. It reports every fault
 * with its place, and refuses unknown names that start with `$`.
 */
import type { Parsed } from '../../domain/values/json.ts';
import { unknownName, type Detail } from '../../domain/names.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { NO_AUDIT_FIELDS, withoutAuditFields } from '../../domain/audit-fields.ts';
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import { isWrapperName, readValue } from '../../domain/values/wrappers.ts';
import { faultOfName } from '../../domain/field-names.ts';
import { readOperator, Site } from './dispatch.ts';
import { unknownParameter } from './parameters.ts';
import { composed, constant, NOTHING, type Expression, type Frame, type Scope } from './expression.ts';
import type { Operand } from './meter.ts';
import { refusalOf } from './refused.ts';
import { readPath, valueAt } from './paths.ts';
import { isList } from '../../domain/values/tree.ts';

export function parseExpression(value: Value, place: Place, scope: Scope): Expression {
  if (typeof value === 'string')
    return value.startsWith('$') ? reference(value, place, scope) : constant(value);
  if (isList(value)) return list(value, place, scope);
  return isFields(value) ? object(value, place, scope) : constant(value);
}

/** `$path`, `$$variable` or `$$variable.path`. */
function reference(text: string, place: Place, scope: Scope): Expression {
  const isVariable = text.startsWith('$$');
  const path = readPath(isVariable ? text.slice(2) : text.slice(1));
  if (typeof path === 'string') return fault(place, scope, `${text} is no path: ${path}`);
  if (!isVariable) return variable('CURRENT', path, place, scope);
  const [name = '', ...rest] = path;
  return variable(name, rest, place, scope);
}

function variable(name: string, path: readonly string[], place: Place, scope: Scope): Expression {
  const slot = scope.variables.get(name);
  if (slot !== undefined) return atPath(({ slots }) => slots[slot], path);
  switch (name) {
    case 'CURRENT':
    case 'ROOT':
      scope.reads(path[0] ?? null);
      return path.length === 0 ? atPath(wholeOf, path) : { ...atPath(({ root }) => root, path), path };
    case 'creator':
    case 'created':
    case 'updated':
      if (!scope.auditFields()) return fault(place, scope, NO_AUDIT_FIELDS);
      scope.reads(`$${name}`);
      return atPath(({ root }) => root, [`$${name}`, ...path]);
    case 'NOW':
      scope.changing();
      return atPath(({ now }) => now, path);
    case 'REMOVE':
      return atPath(() => undefined, path);
    case 'parameters':
      return parameter(path, place, scope);
    default:
      return fault(place, scope, () => unknownVariable(name, scope));
  }
}

function wholeOf({ root, meter }: Frame): Fields {
  meter.spend(1);
  return withoutAuditFields(root);
}

function atPath(start: (frame: Frame) => Operand, path: readonly string[]): Expression {
  if (path.length === 0) return { evaluate: start, constant: null };
  return { evaluate: (frame) => valueAt(start(frame), path, frame.meter), constant: null };
}

const VARIABLES: readonly string[] = [
  'CURRENT',
  'ROOT',
  'NOW',
  'REMOVE',
  'parameters',
  'creator',
  'created',
  'updated',
];

function unknownVariable(name: string, { variables }: Scope): string {
  const names = [...variables.keys(), ...VARIABLES].map((each) => `$$${each}`);
  return unknownName(`$$${name}`, { what: 'variable', where: 'here', names });
}

function unknownExpression(name: string, { names: { expressions: names } }: Scope): string {
  return unknownName(name, { what: 'operator', names, listed: '/docs/aggregates-reference#expressions' });
}

/** A parameter is a constant: its value is known before the first document is. */
function parameter(path: readonly string[], place: Place, scope: Scope): Expression {
  const [name] = path;
  if (name !== undefined && !Object.hasOwn(scope.parameters, name)) {
    return fault(place, scope, () => unknownParameter(name, scope.parameters));
  }
  return constant(valueAt(scope.parameters, path, scope.folding), false);
}

function fault(place: Place, scope: Scope, detail: Detail): Expression {
  scope.report(place, detail);
  return NOTHING;
}

/** An array of expressions; what is missing becomes null, so that places stay. */
function list(items: readonly Value[], place: Place, scope: Scope): Expression {
  const parts = items.map((item, index) => scope.parse(item, inside(place, index), scope));
  const evaluate = (frame: Frame): Operand => {
    frame.meter.spend(1);
    return frame.meter.admit(parts.map((part) => part.evaluate(frame) ?? null));
  };
  return composed(evaluate, parts, place, scope);
}

function object(fields: Fields, place: Place, scope: Scope): Expression {
  const names = Object.keys(fields);
  const [name = ''] = names;
  const operator = names.find((each) => each.startsWith('$'));
  if (operator === undefined) return literalObject(fields, place, scope);
  if (names.length > 1) {
    return fault(place, scope, `An operator such as ${operator} stands alone in its object.`);
  }
  // A wrapper that is still as it was written.
  if (isWrapperName(name)) return constant(readValue(fields as Parsed, place, scope.report));
  const at = new Site(name, inside(place, name), scope);
  const read = readOperator(fields[name] ?? null, at);
  if (read !== undefined) return read;
  return fault(at.place, scope, refusalOf(name) ?? (() => unknownExpression(name, scope)));
}

/** An object of expressions; what is missing is left out. */
function literalObject(fields: Fields, place: Place, scope: Scope): Expression {
  const entries = Object.entries(fields).map(([name, value]) => {
    const at = inside(place, name);
    const wrong = faultOfName(name);
    if (wrong !== undefined) scope.report(at, wrong);
    return [name, scope.parse(value, at, scope)] as const;
  });
  const evaluate = (frame: Frame): Operand => {
    frame.meter.spend(1);
    const made: [string, Value][] = [];
    for (const [name, expression] of entries) {
      const value = expression.evaluate(frame);
      if (value !== undefined) made.push([name, value]);
    }
    return frame.meter.admit(Object.fromEntries(made));
  };
  return composed(
    evaluate,
    entries.map(([, expression]) => expression),
    place,
    scope,
  );
}
