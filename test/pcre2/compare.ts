/** What our engine and PCRE2 say of the same patterns and subjects, and where they disagree. */
import { engineMatch, type EngineAnswer } from '../support/patterns/engine.ts';
import {
  askPcre2,
  isAnswer,
  isGivenUp,
  isOfTwoMinds,
  type Asked,
  type Pcre2Answer,
} from '../support/patterns/pcre2.ts';

interface Difference {
  readonly pattern: string;
  readonly options: string;
  readonly subject: string;
  readonly ours: EngineAnswer;
  readonly theirs: readonly Pcre2Answer[];
}

export interface Comparison {
  /** Patterns that PCRE2 takes. */
  readonly taken: number;
  /** Of those, the ones that we refuse: our reasons, with the patterns. */
  readonly refused: ReadonlyMap<string, readonly Asked[]>;
  readonly searches: number;
  readonly matches: number;
  readonly differences: readonly Difference[];
  /** Searches of which nothing can be said, by the cause. */
  readonly open: ReadonlyMap<string, number>;
}

export function compared(asked: readonly Asked[]): Comparison {
  const replies = askPcre2(asked);
  const refused = new Map<string, Asked[]>();
  const open = new Map<string, number>();
  const differences: Difference[] = [];
  let taken = 0;
  let searches = 0;
  let matches = 0;
  asked.forEach((each, number) => {
    const reply = replies[number];
    if (reply?.ok !== true) return;
    taken += 1;
    for (const [index, theirs] of reply.answers.entries()) {
      const { pattern, options, subjects } = each;
      const subject = subjects[index] ?? '';
      const ours = engineMatch(pattern, options, subject);
      if (ours.kind === 'refused') {
        const reason = ours.reason.replace(/ \(at position \d+\)/, '');
        refused.set(reason, [...(refused.get(reason) ?? []), each]);
        return;
      }
      searches += 1;
      if (theirs[0]?.kind === 'match') matches += 1;
      const cause = openBecause(ours, theirs);
      if (cause !== undefined) open.set(cause, (open.get(cause) ?? 0) + 1);
      else if (!isAnswer(theirs, ours.kind === 'match' ? ours.match : undefined))
        differences.push({ pattern, options, subject, ours, theirs });
    }
  });
  return { taken, refused, searches, matches, differences, open };
}

/** Why there is nothing to compare: one of the two gave up, or PCRE2's two ways differ and ours is neither. */
function openBecause(ours: EngineAnswer, theirs: readonly Pcre2Answer[]): string | undefined {
  const they = isGivenUp(theirs);
  if (ours.kind === 'long') return they ? 'given up by both' : 'given up by us';
  if (they) return 'given up by PCRE2';
  const agreed = isAnswer(theirs, ours.kind === 'match' ? ours.match : undefined);
  return !agreed && isOfTwoMinds(theirs) ? 'PCRE2 differs with itself' : undefined;
}
