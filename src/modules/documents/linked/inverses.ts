/**
 * Declared inverses (docs/types.md): the documents of a type that link to a document, read as a relationship of that
 * document. They are a list of their own type, under the rights of that type: filtered, sorted and paged as any list.
 */
import type { LazyDocument } from '../../../collection/rpc/packing/documents.ts';
import { NOTHING_FOUND, type ListResult } from '../../../collection/rpc/results.ts';
import type { Link } from '../../../domain/documents.ts';
import { fail, failed, ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import { principalOf } from '../../../domain/rules.ts';
import { hiddenFields } from '../../../domain/secrets.ts';
import { storedType, type TypeName } from '../../../domain/types.ts';
import type { Inverse } from '../../../domain/types/settings.ts';
import { linksTo } from '../../../operators/filter/through.ts';
import { readFilter } from '../../../operators/filter/encoded.ts';
import { parseSort } from '../../../query/order/sort.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { listPageOf, type ListedPage } from '../answer/paging.ts';
import { noteLeftOut } from '../warnings/warnings.ts';
import { distinguished, listAmong } from './list-among.ts';
import { principalsOf } from './principals.ts';

/** What a list of an inverse has found, and what its cursors are bound to. */
export interface ListedInverse {
  readonly type: TypeName;
  readonly listed: ListedPage;
  readonly result: ListResult<readonly LazyDocument[]>;
  /** As of findings (answers.ts). */
  readonly warnings: readonly Problem[] | null;
}

/** The page of the documents of an inverse of `owner` that the request asks for. */
export async function listInverse(
  context: RequestContext,
  owner: Link,
  inverse: Inverse,
  use: (found: ListedInverse) => Promise<Outcome<Answer>>,
): Promise<Outcome<Answer>> {
  const { query, parameters } = context;
  const type = storedType(inverse.type);
  const filter = readFilter(query.filters);
  if (!filter.ok) return filter;
  const sort = query.sort === null ? ok([]) : parseSort(query.sort);
  if (!sort.ok) return sort;
  const bounds = JSON.stringify(['inverse', owner.type, owner.id, parameters.name, filter.value.condition]);
  const listed = { condition: bounds, sort: sort.value };
  const page = await listPageOf(context, listed);
  if (!page.ok) return page;
  const [principal, other] = principalsOf(context, type) ?? [];
  if (principal === undefined) {
    noteLeftOut(context, type, null);
    return use({ type, listed, result: { ...NOTHING_FOUND, documents: [] }, warnings: null });
  }
  if (other !== undefined) return fail('forbidden', distinguished(type), { header: 'api-key' });
  const among = linksTo(inverse.through, owner.type, [owner.id]);
  const searched = { type, ...principalOf(principal), hidden: hiddenFields(type, principal), among };
  const filtered = { ...filter.value, sort: sort.value };
  return listAmong(context, searched, filtered, page.value, (result, warnings) =>
    use({ type, listed, result, warnings }),
  );
}

/** The refusal of what only an inverse takes. */
export function onlyOfInverses({ query, parameters }: RequestContext): Outcome<null> {
  const refuse = (parameter: string): Problem => ({
    code: 'invalid-parameter',
    detail:
      `The links of ${parameters.name} are stored in their order: ` +
      `ask for the linked documents, …/${parameters.name}, with ${parameter}.`,
    source: { parameter },
  });
  const problems = [
    ...(query.filters.length > 0 ? [refuse('filter')] : []),
    ...(query.sort === null ? [] : [refuse('sort')]),
  ];
  return problems.length > 0 ? failed(...problems) : ok(null);
}
