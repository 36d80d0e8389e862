/** Answers that must be identical everywhere: a difference would reveal a secret. */
import { fail, type Outcome } from '../../domain/problems.ts';

/** One answer for every conflict of a change with the stored document, if the viewer may not read it. */
export function changeRefused() {
  return fail('change-refused', 'The document does not take this change. Why, only who may read it is told.');
}

/** One answer for every write that the rule of the permission refuses: what the rule looks at is not told. */
export function ruleViolated() {
  return fail('rule-violated', 'The rule of the API key does not take the document as this would leave it.');
}

/** One answer for every lack of rights, whether or not the document exists (decisions, section 4). */
export function forbidden() {
  return fail('forbidden', 'The user lacks the right on this document.');
}

/** One answer for every invalid cursor, whatever it names. */
export function staleCursor(): Outcome<never> {
  const detail =
    'The cursor is none of this list for this viewer, or what it stood at has changed: begin again with an empty one.';
  return fail('invalid-parameter', detail, { parameter: 'page[after]' });
}
