/**
 * Parses the text of filters into a validated tree. No other module reads or refuses clients' filters, and none after
 * it sees the text.
 */
import { isParsedObject, parseJson, type Parsed } from '../../domain/values/json.ts';
import { LIMITS, TOLD } from '../../domain/limits.ts';
import { sentenceOf, type Detail } from '../../domain/names.ts';
import { pointerOf, type Place } from '../../domain/pointer.ts';
import { failed, ok, problem, type Outcome, type Problem } from '../../domain/problems.ts';
import type { Condition } from './conditions.ts';
import { GRAMMAR, readPath } from './grammar.ts';
import { allOf, refuseCondition, type Scope } from './scope.ts';

/** One `filter[...]` parameter, decoded; `field` is null for `filter[*]`. */
export interface FilterParameter {
  readonly field: string | null;
  readonly text: string;
}

/**
 * The conjunction of all filter parameters of a request (spec, Query parameters). Faults are 400s with the parameter
 * as their source and the place inside its JSON as `meta.pointer`.
 */
export function parseFilter(parameters: readonly FilterParameter[]): Outcome<Condition> {
  const problems: Problem[] = [];
  const once = new Set<string>();
  const encoder = new TextEncoder();
  let size = 0;
  const conditions: Condition[] = [];
  for (const parameter of parameters) {
    const report = (place: Place, detail: Detail): void => {
      if (problems.length < TOLD.inDefinition) {
        problems.push(faultIn(parameter, place, sentenceOf(detail)));
      }
    };
    // A character takes at least one byte: no need to encode what is too long already.
    size +=
      parameter.text.length > LIMITS.filter ? parameter.text.length : encoder.encode(parameter.text).length;
    if (size > LIMITS.filter) {
      report(null, `The filters of a request may hold ${LIMITS.filter} bytes together.`);
      break;
    }
    conditions.push(
      readParameter(parameter, { report, once, within: 'filter', auditFields: true, grammar: GRAMMAR }),
    );
  }
  return problems.length > 0 ? failed(...problems) : ok(allOf(conditions));
}

/** The start of an object or an array: with it, a value must be JSON. */
const COMPOSITE = /^[ \t\n\r]*[[{]/;

function readParameter({ field, text }: FilterParameter, scope: Scope): Condition {
  const top = { place: null, scope };
  const parsed = parseJson(text, LIMITS.filterDepth);
  if (!parsed.ok) {
    const isText = field !== null && parsed.reason === 'syntax' && !COMPOSITE.test(text);
    // A word without quotes is a string (decisions, section 3).
    if (isText) return readField(field, text, scope);
    const hint =
      parsed.reason === 'syntax' ? `The filter is not valid JSON: ${parsed.detail}` : parsed.detail;
    return refuseCondition({ place: parsed.place ?? null, scope }, hint);
  }
  if (field !== null) return readField(field, parsed.value, scope);
  if (!isParsedObject(parsed.value)) return refuseCondition(top, 'The filter must be a JSON object.');
  return GRAMMAR.query(parsed.value, null, scope);
}

function readField(field: string, value: Parsed, scope: Scope): Condition {
  const path = readPath(field, scope.auditFields);
  return typeof path === 'string'
    ? refuseCondition({ place: null, scope }, path)
    : GRAMMAR.expression(value, path, null, scope);
}

function faultIn({ field }: FilterParameter, place: Place, detail: string): Problem {
  return problem(
    'invalid-filter',
    detail,
    { parameter: `filter[${field ?? '*'}]` },
    { pointer: pointerOf(place) },
  );
}
