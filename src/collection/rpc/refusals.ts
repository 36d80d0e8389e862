/** Answers that must be the same wherever they are given, or they would tell more than they say. */
import { fail, type Outcome } from '../../domain/problems.ts';

/** One answer for whatever the stored document has against a change, to a viewer who may not read it. */
export function changeRefused() {
  return fail('change-refused', 'The document does not take this change. Why, only who may read it is told.');
}

/** One answer for every lack of rights, whether there is a document or not (decisions, section 4). */
export function forbidden() {
  return fail('forbidden', 'The user lacks the right on this document.');
}

/** One answer for every cursor that leads nowhere, whatever it names and why. */
export function staleCursor(): Outcome<never> {
  const detail =
    'The cursor is none of this list for this viewer, or what it stood at has changed: begin again with an empty one.';
  return fail('invalid-parameter', detail, { parameter: 'page[after]' });
}
