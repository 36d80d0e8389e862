/** How many account actions were begun lately: what limits them counts what is asked for, and not what is there. */
import type { DocumentId } from '../../../domain/ids.ts';
import { ok } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE } from '../../../domain/types.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { ObjectId } from '../../../domain/values/values.ts';
import type { Condition } from '../../../operators/filter/conditions.ts';
import { collectionOf } from '../client.ts';
import type { Asker } from '../client-reads.ts';

const HOUR = 3_600_000;

/** In the last hour, with these attributes. `before`: those alone that were begun before this one. */
export async function recentActions(
  asker: Asker,
  attributes: Readonly<Record<string, string>>,
  before?: DocumentId,
): Promise<number> {
  const since = new Date(Date.now() - HOUR);
  const conditions: readonly Condition[] = [
    { op: 'gt', path: ['created'], value: since },
    ...(before === undefined ? [] : [{ op: 'lt', path: ['id'], value: new ObjectId(before) } as const]),
    ...Object.entries(attributes).map(([name, value]) => ({ op: 'eq', path: [name], value }) as const),
  ];
  const condition = encodeText({ op: 'and', conditions } satisfies Condition);
  const page = { offset: 0, limit: 1, counted: true };
  const request = { condition, sort: [], page, ...TRUSTED, hidden: [] };
  const counted = await collectionOf(asker, CORE.accountAction).list(request, ({ total }) =>
    Promise.resolve(ok(total ?? Infinity)),
  );
  return counted.ok ? counted.value : Infinity;
}
