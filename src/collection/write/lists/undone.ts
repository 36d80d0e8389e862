/** Lists of writes that fail: what they have written is undone. */
import type { Problem } from '../../../domain/problems.ts';
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
