/** What the audit trail says of a person who is erased: entries stay, and lose their name and the id of their document. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { mergeOf } from '../../../collection/rpc/writes/operations.ts';
import type { Link } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { ok } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE } from '../../../domain/types.ts';
import type { FilterParameter } from '../../../operators/filter/parse.ts';
import { readFilter } from '../../../operators/filter/encoded.ts';
import { parseSort } from '../../../query/order/sort.ts';
import type { RequestContext } from '../../endpoint.ts';

/** Where an entry names a person: the path of the filter, and the attribute that goes. */
const PLACES = [
  ['user.id', 'user'],
  ['target-id', 'target-id'],
] as const;

/** Entries that one step changes. */
const AT_ONCE = LIMITS.bulk / 2;

export async function entriesNaming(inside: RequestContext, link: Link): Promise<number> {
  let count = 0;
  for (const [path] of PLACES) count += (await find(inside, link, path, 1)).total;
  return count;
}

export async function leaveTrail(inside: RequestContext, link: Link): Promise<number> {
  const trail = collectionOf(inside, CORE.auditEntry);
  let count = 0;
  for (const [path, attribute] of PLACES) {
    for (;;) {
      const { last } = await find(inside, link, path, AT_ONCE);
      if (last === undefined) break;
      const { condition } = conditionOf([
        { field: path, text: JSON.stringify(link.id) },
        { field: 'id', text: JSON.stringify({ $lte: { $oid: last } }) },
      ]);
      const change = mergeOf({ attributes: { [attribute]: null }, relationships: {} }, null);
      const request = { condition, hidden: [], reader: TRUSTED, writer: TRUSTED, limit: LIMITS.bulk, change };
      const changed = await trail.bulk(request);
      if (!changed.ok) throw new Error('The entries of the audit trail can not be changed.');
      count += changed.value;
    }
  }
  return count;
}

async function find(inside: RequestContext, link: Link, path: string, limit: number) {
  const { condition } = conditionOf([{ field: path, text: JSON.stringify(link.id) }]);
  const sort = parseSort('id');
  const request = {
    condition,
    sort: sort.ok ? sort.value : [],
    page: { offset: 0, limit },
    ...TRUSTED,
    hidden: [],
  };
  const listed = await collectionOf(inside, CORE.auditEntry).list(request, ({ documents, total }) =>
    Promise.resolve(ok({ last: documents.at(-1)?.id, total: total ?? 0 })),
  );
  if (!listed.ok) throw new Error('The audit trail can not be searched.');
  return listed.value;
}

function conditionOf(parameters: readonly FilterParameter[]) {
  const filter = readFilter(parameters);
  if (!filter.ok) throw new Error('The filter for entries is not valid.');
  return filter.value;
}
