/**
 * Parameters: the defaults of a definition, the values of a request, and their use in stages without expressions. There
 * `$$parameters.name` is a whole string and becomes a value: never a part of one, and never an operator.
 */
import { offerOf, shownName } from '../../domain/names.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import { isWrapperName, readValue, toParsed } from '../../domain/values/wrappers.ts';
import { faultOfName } from '../../domain/field-names.ts';
import type { Scope } from './expression.ts';
import { readPath } from './paths.ts';
import { isList, mapFields } from '../../domain/values/tree.ts';

type Report = Scope['report'];

/** The parameters of one request. It reports faults with places inside `/parameters`. */
export function readParameters(
  defaults: Value | undefined,
  given: ReadonlyMap<string, Value>,
  report: Report,
): Fields {
  const place = inside(null, 'parameters');
  if (defaults !== undefined && !isFields(defaults)) {
    report(place, 'parameters is an object of names and defaults.');
    return {};
  }
  const values = new Map<string, Value>();
  for (const [name, value] of Object.entries(defaults ?? {})) {
    const fault = faultOfName(name);
    if (fault !== undefined) report(inside(place, name), fault);
    values.set(name, plain(value, inside(place, name), report));
  }
  for (const [name, value] of given) {
    if (values.has(name)) values.set(name, plain(value, inside(place, name), report));
    else report(inside(place, name), () => unknownParameter(name, defaults ?? {}));
  }
  return Object.fromEntries(values);
}

/** Why a definition has no parameter of a name. */
export function unknownParameter(name: string, defaults: Fields): string {
  const sentence = `The definition has no parameter ${shownName(name)}: it needs a default in parameters.`;
  return `${sentence}${offerOf(name, Object.keys(defaults))}`;
}

/** A parameter holds values: wrappers are read, operators are faults. */
function plain(value: Value, place: Place, report: Report): Value {
  return readValue(toParsed(value), place, report);
}

const PREFIX = '$$parameters.';

/** The path that `$$parameters.a.b` names among the parameters; undefined for any other value. */
export function parameterOfText(value: Value): readonly string[] | undefined {
  if (typeof value !== 'string' || !value.startsWith(PREFIX)) return undefined;
  const path = readPath(value.slice(PREFIX.length));
  return typeof path === 'string' ? undefined : path;
}

/** A value in which each named parameter is replaced by its value. It reports unknown names. */
export function substitute(value: Value, at: { readonly place: Place; readonly scope: Scope }): Value {
  const path = parameterOfText(value);
  if (path !== undefined) return valueOf(path, at);
  const { place, scope } = at;
  if (isList(value))
    return value.map((item, index) => substitute(item, { place: inside(place, index), scope }));
  if (!isFields(value)) return value;
  if (isWrapped(value)) return plain(value, place, scope.report);
  return mapFields(value, (field, name) => substitute(field, { place: inside(place, name), scope }));
}

/** True for a wrapper that is still as it was written. */
function isWrapped(fields: Fields): boolean {
  const [name, ...others] = Object.keys(fields);
  return name !== undefined && others.length === 0 && isWrapperName(name);
}

function valueOf(
  path: readonly string[],
  { place, scope }: { readonly place: Place; readonly scope: Scope },
): Value {
  let value: Value = scope.parameters;
  for (const [index, name] of path.entries()) {
    const inner: Value | undefined = isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    if (inner === undefined) {
      if (index === 0) scope.report(place, () => unknownParameter(name, scope.parameters));
      return null;
    }
    value = inner;
  }
  return value;
}
