/** What becomes of calls of objects that fail now and then (halting-worker.ts): each is lost, or late, or ends its object. */
export const FAULTS = ['before', 'late', 'after', 'late answer', 'reset before', 'reset after'] as const;
