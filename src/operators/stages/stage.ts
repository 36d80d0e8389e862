/** What a stage is: a step that takes documents one by one and gives others to the step behind it. */
import type { Place } from '../../domain/pointer.ts';
import type { Fields, Value } from '../../domain/values.ts';
import type { Ordering } from '../../query/order/ordering.ts';
import type { Frame, Scope } from '../core/expression.ts';
import type { Meter } from '../core/meter.ts';

/** Where documents go. */
export interface Sink {
  /** Takes a document; false when it needs no further one. */
  readonly push: (document: Fields) => boolean;
  /** There are no further documents. */
  readonly finish: () => void;
}

/** What one run of a pipeline shares. */
export interface Run {
  readonly meter: Meter;
  readonly now: Date;
  readonly random: () => number;
}

/** Begins the stage for one run, with the step behind it. */
export type Start = (next: Sink, run: Run) => Sink;

/**
 * A stage that was read. The orders, skips and limits say what they are, so that an order with a limit behind it
 * keeps no more than is asked for; so does the rest that the reader needs to know.
 */
export type Stage =
  | { readonly kind: 'sort'; readonly ordering: Ordering }
  | { readonly kind: 'skip' | 'limit'; readonly count: number }
  | { readonly kind: 'step'; readonly start: Start; readonly remakes?: Remakes };

/**
 * What a stage says that gives none of its documents on, but others that it makes: whether several of their fields
 * were taken over in the order that they had.
 */
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

/** Reads what stands under the name of a stage; null when a fault was told. */
export type ReadStage = (argument: Value, at: At) => Stage | null;

export function frameOf(run: Run): Frame {
  return { root: {}, slots: [], meter: run.meter, now: run.now, random: run.random };
}

/** Tells a fault; null stands for what could not be read. */
export function refuseStage({ place, scope }: At, detail: string): null {
  scope.report(place, detail);
  return null;
}
