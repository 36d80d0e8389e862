/**
 * `setWindowFields`: fields that look at other documents of their partition. Documents come out in the order of their
 * partitions, then by `sortBy`; each value is computed when it is given out.
 */
import { inside, type Place } from '../../domain/pointer.ts';
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import { compareValues } from '../../query/order/compare.ts';
import { bySortFields, type Key, type Ordering } from '../../query/order/ordering.ts';
import type { SortField } from '../../query/order/sort.ts';
import type { Expression, Frame } from '../core/expression.ts';
import { sizeOf, stop } from '../core/meter.ts';
import { namedArguments, REQUIRED, type Argument } from '../core/operator.ts';
import { substitute } from '../core/parameters.ts';
import { readPath, withValueAt } from '../core/paths.ts';
import { countedKey, readSortBy } from '../core/sort-by.ts';
import { TopN } from '../core/top-n.ts';
import { readGathered, SAMPLES } from '../windows/gathered.ts';
import { Keep, type WindowFunction, type WindowState, type ReadWindowFunction } from '../windows/window.ts';
import { unknownOperator } from './accumulated.ts';
import { frameOf, held, refuseStage, type At, type ReadStage, type Start } from './stage.ts';
import { isList } from '../../domain/values/tree.ts';
import { MERGED } from '../windows/merged.ts';
import { derivative } from '../windows/points.ts';
import { RANKS } from '../windows/ranks.ts';
import { SERIES } from '../windows/series.ts';

const NAMES = { partitionBy: undefined, sortBy: undefined, output: REQUIRED } as const;

interface Field {
  readonly path: readonly string[];
  readonly computed: WindowFunction;
}

interface Windows {
  readonly partitionBy: Expression | null;
  readonly ordering: Ordering;
  readonly fields: readonly Field[];
}

export const setWindowFields: ReadStage = (argument, at) => {
  const given = namedArguments(argument, NAMES, at);
  if (given === undefined) return null;
  const partitionBy = given.partitionBy?.parse() ?? null;
  const sort = given.sortBy === undefined ? null : readSort(given.sortBy);
  if (sort === undefined) return null;
  const fields = readFields(given.output, sort);
  if (fields === null) return null;
  const windows = { partitionBy, ordering: bySortFields(sort ?? []), fields };
  return { kind: 'step', start: startWindows(windows) };
};

function readSort(given: Argument): readonly SortField[] | undefined {
  const fields = readSortBy(substitute(given.value, given), given);
  for (const { path } of fields ?? []) given.scope.reads(path[0] ?? null);
  return fields;
}

function readFields(given: Argument, sort: readonly SortField[] | null): readonly Field[] | null {
  const { place, value } = given;
  if (!isFields(value)) return refuseStage(given, 'output is an object of fields.');
  const fields: Field[] = [];
  let faulty = false;
  for (const [name, each] of Object.entries(value)) {
    const here = { ...given, place: inside(place, name) };
    const path = readPath(name);
    if (typeof path === 'string') refuseStage(here, path);
    else if (fields.some((other) => isWithin(path, other.path) || isWithin(other.path, path))) {
      refuseStage(here, `${name} and another field of output are one inside the other.`);
    } else {
      const computed = readFunction(each, sort, here);
      given.scope.reads(path[0] ?? null);
      if (computed !== null) {
        fields.push({ path, computed });
        continue;
      }
    }
    faulty = true;
  }
  return faulty ? null : fields;
}

function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return outer.every((name, index) => inner[index] === name);
}

/** `{$function: argument, window?}`, where the sign may be left out as in `group`. */
function readFunction(value: Value, sortBy: readonly SortField[] | null, at: At): WindowFunction | null {
  const names = isFields(value) ? Object.keys(value).filter((name) => name !== 'window') : [];
  const [given = ''] = names;
  if (!isFields(value) || names.length !== 1) {
    return refuseStage(
      at,
      'A field of output is an object with one window function, such as {"$sum": "$price"}, and perhaps its window.',
    );
  }
  const name = given.startsWith('$') ? given : `$${given}`;
  const place: Place = inside(at.place, given);
  const windowPlace = inside(at.place, 'window');
  const here = { name, place, scope: at.scope, sortBy, window: value['window'], windowPlace };
  const argument = value[given] ?? null;
  const read = Object.hasOwn(WINDOW_FUNCTIONS, name) ? WINDOW_FUNCTIONS[name] : readGathered;
  const computed = read?.(argument, here);
  if (computed === null) {
    const names = [...Object.keys(WINDOW_FUNCTIONS), ...at.scope.names.accumulators];
    return refuseStage({ ...at, place }, () => unknownOperator(given, 'window function', names));
  }
  return computed ?? null;
}

interface Entry {
  /** The key of its partition. */
  readonly common: Value;
  readonly key: Key;
  readonly document: Fields;
}

function startWindows({ partitionBy, ordering, fields }: Windows): Start {
  return (input, run) => {
    const { meter } = run;
    const frame = frameOf(run);
    const ordered = new TopN<Entry>(
      Infinity,
      (a, b) => compareValues(a.common, b.common) || ordering.compare(a.key, b.key),
      {
        sizeOf: ({ common, document }) => sizeOf(common) + sizeOf(document),
        comparedBy: ({ common, key }) => [common, ...key],
      },
      meter,
    );
    const take = (document: Fields): void => {
      frame.root = document;
      meter.spend(5);
      // What is missing is in one partition with null.
      const common = partitionBy?.evaluate(frame) ?? null;
      if (isList(common)) stop('partitionBy gives an array, by which nothing can be parted.');
      ordered.add({ common, key: countedKey(ordering, document, meter), document });
    };
    const give = function* (): Generator<Fields | undefined> {
      let partition: Partition | undefined;
      for (const entry of ordered.drain()) {
        if (entry !== undefined && partition?.has(entry) === false) {
          yield* partition.documents();
          partition = undefined;
        }
        if (entry !== undefined) {
          frame.root = entry.document;
          partition ??= new Partition(entry, fields, frame, ordering);
          partition.add(entry, frame);
        }
        yield undefined;
      }
      if (partition !== undefined) yield* partition.documents();
    };
    return held(input, run, take, give);
  };
}

class Partition {
  readonly #common: Value;
  readonly #keep: Keep;
  readonly #documents: Fields[] = [];
  readonly #fields: readonly { readonly path: readonly string[]; readonly state: WindowState }[];

  /** `frame` is that of the first document. */
  constructor({ common }: Entry, fields: readonly Field[], frame: Frame, ordering: Ordering) {
    const keep = new Keep(frame.meter);
    this.#common = common;
    this.#keep = keep;
    this.#fields = fields.map(({ path, computed }) => ({
      path,
      state: computed.start(keep, frame, ordering),
    }));
  }

  has({ common }: Entry): boolean {
    this.#keep.meter.spendOn([common]);
    return compareValues(common, this.#common) === 0;
  }

  add({ document, key }: Entry, frame: Frame): void {
    this.#keep.hold(32 + sizeOf(document));
    this.#documents.push(document);
    for (const { state } of this.#fields) {
      frame.meter.spend(2);
      state.add(frame, key);
    }
  }

  *documents(): Generator<Fields> {
    const { meter } = this.#keep;
    for (const [index, document] of this.#documents.entries()) {
      let made = document;
      for (const { path, state } of this.#fields) made = withValueAt(made, path, state.at(index), meter);
      yield made;
    }
    this.#keep.end();
  }
}

/** All window functions by name, but for the accumulators of groups, which are window functions as they are. */
const WINDOW_FUNCTIONS: Readonly<Record<string, ReadWindowFunction>> = {
  ...MERGED,
  ...RANKS,
  ...SERIES,
  ...SAMPLES,
  $derivative: derivative,
};
