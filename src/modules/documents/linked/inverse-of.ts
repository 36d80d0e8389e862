/** The inverses that the settings of a type declare (docs/types.md). */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { shows } from '../../../domain/rules.ts';
import type { Inverse } from '../../../domain/types/settings.ts';
import { isLinkable } from '../../../domain/types/facts.ts';
import type { TypeName } from '../../../domain/types.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { RequestContext } from '../../endpoint.ts';

/** The inverse of this name that the settings of a type declare; null if there is none, or a rule does not show it. */
export async function inverseOf(
  context: RequestContext,
  type: TypeName,
  name: string,
  rule = context.access.rule,
): Promise<Inverse | null> {
  if (!isLinkable(type) || !shows(rule, name)) return null;
  const settings = await collectionOf(context, type).settings();
  return memberOf(settings?.inverses ?? {}, name) ?? null;
}
