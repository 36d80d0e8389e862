/** Lists of the documents that links lead to or come from: their collection filters, sorts and pages them. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { LazyDocument } from '../../../collection/rpc/packing/documents.ts';
import type { ListRequest, ListResult } from '../../../collection/rpc/results.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import type { Outcome, Problem } from '../../../domain/problems.ts';
import { principalOf } from '../../../domain/rules.ts';
import type { TypeName } from '../../../domain/types.ts';
import { decodeCondition, type EncodedFilter } from '../../../operators/filter/encoded.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { asksOf } from '../answer/audit-fields.ts';
import type { ListedPage } from '../answer/paging.ts';
import { warningsOfLinked } from '../warnings/diagnostics.ts';
import { throughOf, type Searched } from './related-filter.ts';

export type Filtered = ListedPage & Pick<EncodedFilter, 'through'>;

type Among = Required<Searched>;

/** What all of them meet, and a filter, for their collection. */
export function filterAmong(
  context: RequestContext,
  among: Among,
  { condition, through }: Omit<Filtered, 'sort'>,
) {
  const filter = encodeText({ op: 'and', conditions: [among.among, decodeCondition(condition)] });
  return { condition: filter, through: throughOf(context, among, filter, through) };
}

export function listAmong(
  context: RequestContext,
  among: Among,
  { sort, ...filter }: Filtered,
  page: ListRequest['page'],
  use: (
    result: ListResult<readonly LazyDocument[]>,
    warnings: readonly Problem[] | null,
  ) => Promise<Outcome<Answer>>,
): Promise<Outcome<Answer>> {
  const { type, hidden } = among;
  const { condition, through } = filterAmong(context, among, filter);
  return collectionOf(context, type).list(
    { condition, sort, page, ...principalOf(among), hidden, ...asksOf(context, type) },
    async (result) => {
      const isFound = result.total === null ? result.documents.length > 0 : result.total > 0;
      const sent = { condition: filter.condition, sort };
      return use(result, await warningsOfLinked(context, [type], sent, isFound));
    },
    through,
  );
}

/** Why documents of a type that the key may read each in its own way come in no list of one. */
export function distinguished(type: TypeName): string {
  const many = `documents of type ${type} by their ids`;
  return `The permissions of the key distinguish ${many}: list them at their own address.`;
}
