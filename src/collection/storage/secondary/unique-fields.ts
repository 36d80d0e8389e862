/**
 * What a document has of fields that are unique together (docs/types.md): one text for each combination of values, as
 * MongoDB's unique indexes have them. A combination with a missing value or null is none. Of an array each element
 * counts; paths through the same array take their values from the same element.
 */
import { recall } from '../../../domain/caching/recall.ts';
import { sha256 } from '../../../domain/values/sha256.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { isList, memberOf } from '../../../domain/values/tree.ts';
import { isFields, type Fields, type Value } from '../../../domain/values/values.ts';
import { keyOfOperand } from '../../../operators/core/keys.ts';

/** The texts of a document, or why there are none: it has too many values, or two arrays that are independent. */
type UniqueKeys = readonly string[] | 'too many values' | 'two arrays';

export interface UniqueFields {
  /** The name of the list in storage. */
  readonly name: string;
  /** The field that a conflict points to. */
  readonly field: string;
  readonly keysOf: (document: Fields) => UniqueKeys;
}

/** A step of the paths, with all that begins with it. */
interface Step {
  readonly name: string;
  /** The paths, by number, that end here. */
  readonly ends: number[];
  readonly next: Step[];
}

/** Values by the numbers of their paths. */
type Parts = readonly (readonly [path: number, value: Value])[];

/** What a step finds: the combinations of its values, which are several where there is an array. */
interface Found {
  readonly all: readonly Parts[];
  readonly many: boolean;
}

const compiled = new WeakMap<readonly string[], UniqueFields>();

/** The fields of a list of dotted paths. */
export function uniqueFieldsOf(paths: readonly string[]): UniqueFields {
  return recall(compiled, paths, compile);
}

function compile(paths: readonly string[]): UniqueFields {
  const root: Step = { name: '', ends: [], next: [] };
  for (const [number, path] of paths.entries()) {
    let step = root;
    for (const name of path.split('.')) {
      let next = step.next.find((each) => each.name === name);
      if (next === undefined) step.next.push((next = { name, ends: [], next: [] }));
      step = next;
    }
    step.ends.push(number);
  }
  const [field = ''] = paths[0]?.split('.') ?? [];
  return { name: nameOf(paths), field, keysOf: (document) => keysOf(document, root, paths.length) };
}

/** The name of a list in storage. No field has such a name, so it is no other unique value's. */
export function nameOf(paths: readonly string[]): string {
  return JSON.stringify(paths);
}

class Refused extends Error {
  readonly keys: Extract<UniqueKeys, string>;

  constructor(keys: Extract<UniqueKeys, string>) {
    super(keys);
    this.keys = keys;
  }
}

function keysOf(document: Fields, root: Step, length: number): UniqueKeys {
  try {
    const found = inFields(document, root.next);
    const whole = found.all.filter((parts) => parts.length === length);
    return [...new Set(whole.map(textOf))];
  } catch (error) {
    if (error instanceof Refused) return error.keys;
    throw error;
  }
}

function inFields(fields: Fields, steps: readonly Step[]): Found {
  return steps.reduce<Found>((found, step) => both(found, atStep(fields, step)), NOTHING_MORE);
}

const NOTHING_MORE: Found = { all: [[]], many: false };

function atStep(fields: Fields, step: Step): Found {
  const value = memberOf(fields, step.name);
  if (value === undefined) return NOTHING_MORE;
  if (!isList(value)) return atValue(value, step);
  if (value.length > LIMITS.uniqueValues) throw new Refused('too many values');
  const all = value.flatMap((element) => atValue(element, step).all);
  if (all.length > LIMITS.uniqueValues) throw new Refused('too many values');
  return { all: all.length === 0 ? [[]] : all, many: true };
}

/** What a value holds; an array directly in an array is one value. */
function atValue(value: Value, { ends, next }: Step): Found {
  const own: Parts = value === null ? [] : ends.map((path) => [path, value] as const);
  const inner = isFields(value) ? inFields(value, next) : NOTHING_MORE;
  return both({ all: [own], many: false }, inner);
}

function both(one: Found, other: Found): Found {
  if (one.many && other.many) throw new Refused('two arrays');
  return {
    all: one.all.flatMap((left) => other.all.map((right) => [...left, ...right])),
    many: one.many || other.many,
  };
}

/** Characters of a text that is kept as it is: it is kept with every document. */
const LONGEST = 200;

function textOf(parts: Parts): string {
  const text = [...parts]
    .sort(([a], [b]) => a - b)
    .map(([, value]) => keyOfOperand(value))
    .join('');
  return text.length <= LONGEST ? text : `sha256:${sha256(text)}`;
}
