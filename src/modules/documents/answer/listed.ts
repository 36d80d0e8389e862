/** What a list is asked for: a filter and an order, read together, because an order may be of what the filter gives. */
import { flatten } from '../../../domain/documents.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { decodeCondition, readFilter, type EncodedFilter } from '../../../operators/filter/encoded.ts';
import { parseSort } from '../../../query/order/sort.ts';
import {
  derivationsOf,
  isDerived,
  type Derivations,
  type DerivedName,
} from '../../../operators/filter/derived.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { RequestContext, Query } from '../../endpoint.ts';
import type { ListedPage } from './paging.ts';
import type { DerivedMeta } from './resource.ts';

/** The conditions that give each. */
const GIVEN_BY: Readonly<Record<DerivedName, string>> = { $distance: '$near', $score: '$text' };

/** The filter and the order of a query, or their faults. */
export function readListed({
  filters,
  sort,
}: Pick<Query, 'filters' | 'sort'>): Outcome<ListedPage & Pick<EncodedFilter, 'through'>> {
  const filter = readFilter(filters);
  if (!filter.ok) return filter;
  const { condition, through } = filter.value;
  if (sort === null) return ok({ condition, through, sort: [] });
  const names = sort
    .split(',')
    .map((name) => name.replace(/^-/, ''))
    .filter(isDerived);
  if (names.length > 0) {
    const derivations = derivationsOfText(condition);
    const [lacking] = names.filter((name) => derivations[name] === undefined);
    if (lacking !== undefined) {
      const detail = `There is no ${lacking} to sort by without ${GIVEN_BY[lacking]} in the filter.`;
      return fail('invalid-parameter', detail, { parameter: 'sort' });
    }
  }
  const read = parseSort(sort, names);
  return read.ok ? ok({ condition, through, sort: read.value }) : read;
}

/** What the query asks to be told of each document of a type that the search finds; null for nothing. */
export function derivedMetaOf(
  { query }: Pick<RequestContext, 'query'>,
  type: TypeName,
  { condition }: ListedPage,
): DerivedMeta {
  const names = [...(query.fields.get(type) ?? [])].filter(isDerived);
  if (names.length === 0) return null;
  const derivations = derivationsOfText(condition);
  const members = names.flatMap((name) => {
    const derive = derivations[name];
    return derive === undefined ? [] : [{ member: name.slice(1), derive }];
  });
  if (members.length === 0) return null;
  return (document) => {
    const fields = { ...flatten(document), type: document.type };
    return Object.fromEntries(members.map(({ member, derive }) => [member, derive(fields)]));
  };
}

/** Of a condition in its stored encoding. */
function derivationsOfText(condition: string): Derivations {
  return derivationsOf(decodeCondition(condition));
}
