/** What refuses an operation of a list before its content is looked at. */
import type { DocumentId } from '../../../domain/ids.ts';
import type { Problem } from '../../../domain/problems.ts';
import { shows } from '../../../domain/rules.ts';
import { unpackContent } from '../../../domain/values/stored.ts';
import { faultOfTarget, type Operation, type Precondition } from '../../rpc/writes/operations.ts';
import { allow, versionFor } from '../../storage/documents/checks.ts';
import type { Transactor } from '../transactor.ts';

/** The problems that come before those of a content that is invalid, as for a single write (decisions, section 1). */
export function refusalOf(
  tables: Transactor,
  operation: Operation & { readonly kind: 'change' | 'acl' },
  id: DocumentId,
  condition: Precondition,
): readonly Problem[] {
  if (operation.kind === 'acl') {
    const allowed = allow(tables, id, 'super-update', condition, versionFor('super-update'));
    return allowed.ok ? [] : allowed.problems;
  }
  const { change } = operation;
  const admitted = allow(tables, id, 'update', condition);
  if (!admitted.ok) return admitted.problems;
  if (change.kind === 'merge') return [];
  // A missing relationship is 404 or 409, which come before 422 (decisions, section 1).
  const fault = faultOfTarget(unpackContent(admitted.value), change);
  const learns =
    fault !== null &&
    [condition, condition.reader ?? condition].every(
      (each) =>
        shows(each.rule, change.name) &&
        tables.rights.has(each.viewer, 'read', admitted.value.seq) &&
        tables.policy.maySee(each, admitted.value),
    );
  return learns ? [fault] : [];
}
