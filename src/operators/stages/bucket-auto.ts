/** `bucketAuto`: a number of buckets with about the same number of documents each, in the order of `groupBy`. */
import type { Fields, Value } from '../../domain/values/values.ts';
import { compareValues } from '../../query/order/compare.ts';
import type { Expression, Frame } from '../core/expression.ts';
import { sizeOf, stop, type Meter } from '../core/meter.ts';
import { namedArguments, REQUIRED, type Argument } from '../core/operator.ts';
import { substitute } from '../core/parameters.ts';
import { TopN } from '../core/top-n.ts';
import { GRANULARITIES, isRoundable, type Granularity } from '../numbers/granularity.ts';
import { smallInteger } from '../numbers/kinds.ts';
import { readOutput } from './accumulated.ts';
import { Gathered, type AccumulatedField } from './groups.ts';
import { readGroupBy } from './bucket.ts';
import { frameOf, held, refuseStage, type ReadStage, type Start } from './stage.ts';

const NAMES = { groupBy: REQUIRED, buckets: REQUIRED, output: undefined, granularity: undefined } as const;

interface Bucketing {
  readonly key: Expression;
  readonly buckets: number;
  readonly fields: readonly AccumulatedField[];
  readonly granularity: Granularity | undefined;
}

export const bucketAuto: ReadStage = (argument, at) => {
  const given = namedArguments(argument, NAMES, at);
  if (given === undefined) return null;
  const key = readGroupBy(given.groupBy);
  const buckets = readCount(given.buckets);
  const fields = readOutput(given.output?.value, at);
  const granularity = given.granularity && readGranularity(given.granularity);
  if (key === null || buckets === null || fields === null || granularity === null) return null;
  const bucketing = { key, buckets, fields, granularity };
  return { kind: 'step', start: startBuckets(bucketing), remakes: 'anew' };
};

function readCount(given: Argument): number | null {
  const count = smallInteger(substitute(given.value, given));
  if (count !== undefined && count > 0 && count < 2 ** 31) return count;
  return refuseStage(given, 'buckets is an integer above zero.');
}

function readGranularity(given: Argument): Granularity | null {
  const name = substitute(given.value, given);
  const found =
    typeof name === 'string' && Object.hasOwn(GRANULARITIES, name) ? GRANULARITIES[name] : undefined;
  const known = Object.keys(GRANULARITIES).join(', ');
  return found ?? refuseStage(given, `granularity is one of ${known}.`);
}

interface Entry {
  readonly key: Value;
  readonly document: Fields;
}

function startBuckets(bucketing: Bucketing): Start {
  return (input, run) => {
    const { meter } = run;
    const frame = frameOf(run);
    const ordered = new TopN<Entry>(
      Infinity,
      (a, b) => compareValues(a.key, b.key),
      {
        sizeOf: ({ key, document }) => sizeOf(key) + sizeOf(document),
        comparedBy: ({ key }) => [key],
      },
      meter,
    );
    let documents = 0;
    const take = (document: Fields): void => {
      frame.root = document;
      // Missing values are grouped with null.
      const key = bucketing.key.evaluate(frame) ?? null;
      if (bucketing.granularity !== undefined && !isRoundable(key)) {
        stop('With a granularity, groupBy gives finite numbers that are not below zero.');
      }
      meter.spend(5);
      documents += 1;
      ordered.add({ key, document });
    };
    const give = function* (): Generator<Fields | undefined> {
      const size = Math.max(1, Math.round(documents / bucketing.buckets));
      let open: Bucket | undefined;
      let number = 0;
      for (const entry of ordered.drain()) {
        if (entry !== undefined && open?.takes(entry.key) !== true) {
          const closed = open;
          const min = closed?.close(entry.key);
          frame.root = entry.document;
          number += 1;
          const capacity = number === bucketing.buckets ? Infinity : size;
          open = new Bucket(bucketing, capacity, min ?? firstOf(bucketing, entry.key, meter), frame);
          if (closed !== undefined) yield closed.document;
        }
        if (entry !== undefined) open?.add(entry, frame);
        yield undefined;
      }
      open?.close(undefined);
      if (open !== undefined) yield open.document;
    };
    return held(input, run, take, give);
  };
}

/** The lower boundary of the first bucket. */
function firstOf({ granularity }: Bucketing, key: Value, meter: Meter): Value {
  return granularity !== undefined && isRoundable(key) ? granularity.down(key, meter) : key;
}

class Bucket {
  readonly #bucketing: Bucketing;
  readonly #gathered: Gathered;
  readonly #meter: Meter;
  readonly #min: Value;
  /** Documents that it takes in any case. */
  #room: number;
  #last: Value = null;
  /** The boundary above the last of these, below which it takes the others. */
  #boundary: Value | undefined;
  #max: Value = null;

  constructor(bucketing: Bucketing, room: number, min: Value, frame: Frame) {
    this.#bucketing = bucketing;
    this.#gathered = new Gathered(bucketing.fields, frame);
    this.#meter = frame.meter;
    this.#min = min;
    this.#room = room;
  }

  /** True when the next document in order belongs here: equal ones are never parted. */
  takes(key: Value): boolean {
    if (this.#room > 0) return true;
    this.#meter.spendOn([key]);
    if (compareValues(key, this.#last) === 0) return true;
    const boundary = this.#boundaryAbove();
    return boundary !== undefined && compareValues(key, boundary) < 0;
  }

  add({ key, document }: Entry, frame: Frame): void {
    frame.root = document;
    this.#gathered.add(frame);
    this.#room -= 1;
    this.#last = key;
  }

  #boundaryAbove(): Value | undefined {
    const { granularity } = this.#bucketing;
    if (granularity !== undefined && isRoundable(this.#last)) {
      this.#boundary ??= granularity.up(this.#last, this.#meter);
    }
    return this.#boundary;
  }

  /** Ends before a document with this key, or at the end of all; gives the lower boundary of the next. */
  close(next: Value | undefined): Value {
    const { granularity } = this.#bucketing;
    const boundary = this.#boundaryAbove();
    if (boundary === undefined || granularity === undefined) this.#max = next ?? this.#last;
    // Zero has no number of a series above it: the next bucket says where this one ends.
    else if (compareValues(boundary, 0) === 0 && isRoundable(next))
      this.#max = granularity.down(next, this.#meter);
    else this.#max = boundary;
    return this.#max;
  }

  get document(): Fields {
    const id = this.#meter.admit({ min: this.#min, max: this.#max });
    return this.#meter.admit(this.#gathered.documentOf(id));
  }
}
