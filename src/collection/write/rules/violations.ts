/** What a refusal by a rule tells: the first of its conditions all of whose fields whoever writes may see. */
import { shows, type RuleCheck } from '../../../domain/rules.ts';
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { isAuditField } from '../../../domain/audit-fields.ts';
import type { StoredContent } from '../../../domain/values/stored.ts';
import { fieldsOfCondition } from '../../../operators/filter/map.ts';
import type { Change, Precondition } from '../../rpc/writes/operations.ts';
import type { SeenRefusal } from '../../rpc/refusals.ts';
import { conditionOfRule, type Policy } from '../../rpc/rules.ts';
import type { Positioned } from '../../storage/documents/documents.ts';
import type { RightsReader } from '../../storage/documents/rights.ts';
import { namesIn } from '../notify/audits.ts';
import type { Violation, Written } from './type-rules.ts';

export interface Disclosure {
  readonly isSeen: (name: string) => boolean;
  /** What would be written; null for a deletion. */
  readonly content: StoredContent | null;
  readonly change?: Change;
}

/** What who writes a document may be told of it: what a GET at its address would not show, no refusal tells. */
export function seenBy(
  rights: Pick<RightsReader, 'has'>,
  policy: Policy,
  before: Positioned,
  { viewer, rule, reader }: Precondition,
) {
  const readable =
    rights.has(viewer, 'read', before.seq) &&
    (reader === undefined || rights.has(reader.viewer, 'read', before.seq));
  const isShown = readable && (reader === undefined || policy.maySee(reader, before));
  const isSeen = (name: string) => isShown && shows(rule, name) && shows(reader?.rule ?? null, name);
  return { readable, isShown, isSeen };
}

export function seenOfKey(checks: readonly RuleCheck[], disclosure: Disclosure): SeenRefusal | undefined {
  for (const { at, condition } of checks) {
    const seen = seenAt(at, fieldsOfCondition(conditionOfRule(condition)) ?? [], disclosure);
    if (seen !== undefined) return seen;
  }
  return undefined;
}

export function seenOfType(
  violations: readonly Violation[],
  { before, after }: Written,
  disclosure: Disclosure,
): SeenRefusal | undefined {
  for (const { at, check, fields } of violations) {
    const all = () => [before, after].flatMap((each) => (each === null ? [] : namesIn(each)));
    const seen = seenAt(at, fields ?? all(), disclosure);
    const { name, message } = check;
    if (seen !== undefined) return { ...seen, ...(name !== null && { check: { name, message } }) };
  }
  return undefined;
}

/** A condition, and the place in the request of its field, if it looks at a single one. Others have no place. */
function seenAt(
  at: string,
  fields: Iterable<string>,
  { isSeen, content, change }: Disclosure,
): SeenRefusal | undefined {
  const names = [...new Set(fields)].filter((name) => name !== 'id' && name !== 'type');
  if (!names.every(isSeen)) return undefined;
  const [name, ...others] = names;
  if (content === null || name === undefined || others.length > 0 || isAuditField(name)) return { at };
  // The body of a change of links is their linkage.
  if (change !== undefined && change.kind !== 'merge')
    return name === change.name ? { at, pointer: '/data' } : { at };
  const isLink = (JSON.parse(content.relationships ?? '[]') as string[]).includes(name);
  return { at, pointer: pointerOf(placeOf('data', isLink ? 'relationships' : 'attributes', name)) };
}
