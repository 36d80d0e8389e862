/** How one schema at work applies others to values. */
import type { Place } from '../../domain/pointer.ts';
import type { Plain } from '../plain.ts';
import type { Work } from '../work.ts';
import type { EvaluatedMembers } from './library.ts';
import type { Applied, Translator } from './translate.ts';
import type { Violation } from './violations.ts';

export interface AppliedAt {
  readonly value: Plain;
  readonly place: Place;
  /** Whether only the verdict is needed, and no violation is reported. */
  readonly silent: boolean;
  /** Members and items that were evaluated, for the keywords of unevaluated ones. */
  readonly seen: EvaluatedMembers | undefined;
}

export interface Applier {
  readonly translator: Translator;
  readonly work: Work;
  readonly apply: (applied: Applied, at: AppliedAt) => readonly Violation[];
}
