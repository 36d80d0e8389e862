/** Marks of feeds. */

/** Whether an error says that a mark is not known any more, or none of this viewer. */
export function isOfMark(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    (Reflect.get(error, 'code') === 'mark-expired' || Reflect.get(error, 'parameter') === 'changes[since]')
  );
}
