/** A parsed stage: it turns one iterator over documents into another. mingo's `Aggregator` puts them in a row. */
import type { Context } from 'mingo/core';
import type { Detail } from '../../domain/names.ts';
import type { Place } from '../../domain/pointer.ts';
import type { Fields, Value } from '../../domain/values/values.ts';
import type { Ordering } from '../../query/order/ordering.ts';
import type { Frame, Scope } from '../core/expression.ts';
import type { Meter } from '../core/meter.ts';
import { CarriedOperand } from '../operand.ts';
import type { GroupTable } from './groups.ts';
import { documents, nextOf, type Documents, type Flow } from './flow.ts';

export interface Run {
  readonly meter: Meter;
  readonly flow: Flow;
  readonly now: Date;
  readonly random: () => number;
}

export interface StageRun extends Run {
  readonly context: Context;
  readonly index: number;
}

/** Begins the stage for one run; it reads the documents that the stage before it gives. */
export type Start = (input: Documents, run: StageRun) => Documents;

/** Carries a parsed stage through mingo. */
export class StageOperand extends CarriedOperand<{ readonly start: Start; readonly index: number }> {}

/**
 * A stage that was read. The orders, skips and limits say what they are, so that an order with a limit behind it
 * keeps no more than is asked for; so does the rest that the reader needs to know.
 */
export type Stage =
  | { readonly kind: 'sort'; readonly ordering: Ordering }
  | { readonly kind: 'skip'; readonly count: number }
  | { readonly kind: 'limit'; readonly count: number }
  | Step;

interface Step {
  readonly kind: 'step';
  readonly start: Start;
  readonly remakes?: Remakes;
  /** True when it gives at most one document for each, which has the same id and depends on no other. */
  readonly keepsIds?: boolean;
  /** True when what it gives depends on one document at a time, in their order. */
  readonly streams?: boolean;
  /** Where the value at a path of what it gives is, unchanged, in what it takes; null where that is not known. */
  readonly sourceOf?: (path: FieldPath) => FieldPath | null;
  /** Of a stage that gathers documents under ids. */
  readonly groups?: Groups;
}

export type FieldPath = readonly string[];

export interface Groups {
  /** The path at which a document has the id of its group; null where the id is anything else. */
  readonly path: FieldPath | null;
  /** The stage that makes no groups but those of ids that have some keys (core/keys.ts). */
  readonly only: (keys: ReadonlySet<string>) => Start;
  /** Groups in parts, each of a segment of the documents; null where that is impossible. */
  readonly parts: GroupParts | null;
}

export interface GroupParts {
  readonly table: () => GroupTable;
  /** The stage that takes documents into a table and gives none. */
  readonly into: (table: GroupTable) => Start;
  /** The stage that gives the groups of a table, and takes nothing. */
  readonly outOf: (table: GroupTable) => Start;
}

/** For a stage that makes documents of its own: whether several of their fields were taken over in their order. */
export type Remakes = 'anew' | 'in order';

/** How documents are made by taking over these fields. A document's own id and type come last, in this order. */
export function remakesOf(taken: readonly string[]): Remakes {
  return taken.filter((name) => name !== 'id' && name !== 'type').length > 1 ? 'in order' : 'anew';
}

export interface At {
  /** As it was written, `group`. */
  readonly name: string;
  readonly place: Place;
  readonly scope: Scope;
}

/** Reads the value under the name of a stage; null when it reported a fault. */
export type ReadStage = (argument: Value, at: At) => Stage | null;

export function frameOf(run: Run): Frame {
  return { root: {}, slots: [], meter: run.meter, now: run.now, random: run.random };
}

/** Reports a fault. It returns null in place of the value that could not be read. */
export function refuseStage({ place, scope }: Pick<At, 'place' | 'scope'>, detail: Detail): null {
  scope.report(place, detail);
  return null;
}

/** A document for each document. */
export function mapped(
  input: Documents,
  { flow, index }: StageRun,
  make: (document: Fields) => Fields,
): Documents {
  return input.map((document: Fields) => {
    flow.stage = index;
    return make(document);
  });
}

/** The documents that a test holds of. */
export function filtered(
  input: Documents,
  { flow, index }: StageRun,
  test: (document: Fields) => boolean,
): Documents {
  return input.filter((document: Fields) => {
    flow.stage = index;
    return test(document);
  });
}

/** Takes all documents before it gives one; `give` may also give undefined, where it has only worked towards one. */
export function held(
  input: Documents,
  { flow, meter, index }: StageRun,
  take: (document: Fields) => void,
  give: () => Iterator<Fields | undefined, unknown>,
): Documents {
  let giving: Iterator<Fields | undefined, unknown> | undefined;
  return documents(() => {
    if (giving === undefined) {
      for (let next = nextOf(input); next !== undefined; next = nextOf(input)) {
        flow.stage = index;
        take(next);
      }
      if (!flow.over) return undefined;
      flow.stage = index;
      giving = give();
    }
    while (flow.takeTurn()) {
      flow.stage = index;
      // What was made on the way of the document before is garbage, and what comes before this stage is through.
      meter.rewind(0, 0);
      meter.spend(1);
      const next = giving.next();
      if (next.done === true) {
        flow.end();
        return undefined;
      }
      if (next.value !== undefined) return next.value;
    }
    return undefined;
  });
}
