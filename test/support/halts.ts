/** What becomes of calls of objects that fail now and then (halting-worker.ts): lost, late, or their object ends. */
export const FAULTS = ['before', 'late', 'after', 'late answer', 'reset before', 'reset after'] as const;
