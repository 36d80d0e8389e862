/** Lists of writes that fail: what they have written is undone. */
import { failed, type Outcome, type Problem } from '../../../domain/problems.ts';
import type { Failure } from '../../rpc/writes/operations.ts';

/** Thrown to undo what was written. It never leaves the object. */
export class Undone extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super('An operation failed.');
    this.failure = failure;
  }
}

/** Of a list that was refused before any of its operations. */
export function notEven(problems: readonly Problem[]): Failure {
  return { at: null, problems, missing: [] };
}

/** What some work would come to: it is done, and undone. If it is not begun, what the transaction says of that. */
export function tried<T, Refused>(transaction: (work: () => never) => Refused, work: () => T): T | Refused {
  const end = new Error('A trial is undone.');
  let result = (): T => {
    throw end;
  };
  try {
    return transaction(() => {
      const done = work();
      result = () => done;
      throw end;
    });
  } catch (error) {
    if (error !== end) throw error;
    return result();
  }
}

/** The result of a write that may have been undone; `undone` is told why. */
export async function orUndone<T>(
  write: () => Promise<Outcome<T>>,
  undone?: { failure: Failure | null },
): Promise<Outcome<T>> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    if (undone !== undefined) undone.failure = error.failure;
    return failed(...error.failure.problems);
  }
}
