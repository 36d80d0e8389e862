/** What every statement minds. */

/** A bound limit, which is not to stand bare: SQLite would plan the statement anew for every value that is bound. */
export const LIMIT = 'LIMIT ? + 0';

/**
 * The rows of a statement, read to their end even when the reader leaves early: an open statement keeps SQLite's log
 * from being written back, and the log grows. Statements that are left early must be bounded.
 */
export function* toItsEnd<T>(rows: IterableIterator<T>): Generator<T> {
  try {
    for (let row = rows.next(); row.done !== true; row = rows.next()) yield row.value;
  } finally {
    while (rows.next().done !== true);
  }
}
