/** Problems of one operation as problems of the list: each names the operation. */
import { fail, pointerIn, type Problem, type ProblemCode } from '../../domain/problems.ts';

/** The failure of a place in an operation. */
export function faultAt(pointer: string, detail: string, code: ProblemCode = 'invalid-body') {
  return fail(code, detail, { pointer });
}

/** A problem of the operation at a position: places in it become places in the list. */
export function inOperation(problem: Problem, at: number): Problem {
  const place = `/atomic:operations/${at}`;
  if (problem.code === 'precondition-failed' && problem.source !== undefined && 'header' in problem.source) {
    const detail = 'The document is not as the if-match of the operation says.';
    return { ...problem, detail, source: { pointer: `${place}/meta/if-match` } };
  }
  return { ...problem, source: { pointer: `${place}${pointerIn(problem)}` } };
}
