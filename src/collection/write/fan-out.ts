/** How many documents of one application may be pushed to one collection, and in all: each makes every write there dearer. */
import type { DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { typeInfo } from '../../domain/types/facts.ts';
import type { TypeName } from '../../domain/types.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { ALWAYS } from '../../query/sql/condition.ts';
import { unpackContent, type StoredContent } from '../../domain/values/stored.ts';
import type { DocumentReader } from '../storage/documents/documents.ts';

/** Refuses a webhook, new or changed, that is one too many. */
export function fanOutOf(
  records: DocumentReader,
  type: TypeName,
  id: DocumentId,
  content: StoredContent,
): Outcome<null> {
  if (typeInfo(type).pushed !== 'webhooks') return ok(null);
  const target = targetOf(content);
  const others = [...records.after(0, ALWAYS)].filter((other) => other.id !== id);
  const ofTarget = others.filter((other) => targetOf(other) === target);
  if (others.length < LIMITS.webhooks && ofTarget.length < LIMITS.webhooksOfType) return ok(null);
  const detail = `An application has at most ${LIMITS.webhooks} webhooks, and ${LIMITS.webhooksOfType} for one type.`;
  return fail('invalid-attribute', detail, { pointer: pointerOf(placeOf('data', 'attributes', 'target')) });
}

function targetOf(content: StoredContent): unknown {
  return memberOf(unpackContent(content).attributes, 'target');
}
