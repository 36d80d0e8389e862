/** What links lead to whose values are no ids: documents are found by a field. */
import { pathOf } from '../../../../client/paths.ts';
import type { Json } from '../../../../client/values.ts';
import { isItems, linkIn, member } from '../../../parts/json.ts';
import { textOf } from '../../../parts/kinds.ts';
import { pagesOf } from '../../../session/documents.ts';
import type { Column } from './columns.ts';
import { keyOfTarget, type Targets } from './drafts.ts';
import type { Row } from './rows.ts';

export async function findTargets(
  rows: readonly Row[],
  columns: readonly Column[],
  signal: AbortSignal,
): Promise<Targets> {
  const targets = new Map<string, readonly string[]>();
  for (const { name, becomes, type, by } of columns) {
    if (becomes !== 'link' || by === '' || type === '') continue;
    const values = rows.flatMap(({ values: all }) => all.get(name) ?? []).flatMap(partsIn);
    const texts = new Set(values.filter((value) => linkIn(value) === undefined).map(textOf));
    for (const some of filtersOf([...texts])) {
      const query = { [`filter[${by}]`]: some, [`fields[${type}]`]: by, 'page[size]': '1000' };
      for await (const { documents } of pagesOf(pathOf(type), query, signal)) {
        for (const { id, attributes } of documents) {
          const key = keyOfTarget(type, by, textOf(member(attributes, by) ?? null));
          targets.set(key, [...(targets.get(key) ?? []), id]);
        }
      }
    }
  }
  return targets;
}

const partsIn = (value: Json): readonly Json[] => (isItems(value) ? value : [value]);

/** Characters of an address that the values of one filter take. */
const UNITS = 6_000;

/** Filters on some values each. What may be a number is looked for as one too. */
function* filtersOf(texts: readonly string[]): Generator<string> {
  let values: (string | number)[] = [];
  let units = 0;
  for (const text of texts) {
    const size = encodeURIComponent(JSON.stringify(text)).length * 2;
    if (values.length > 0 && units + size > UNITS) {
      yield JSON.stringify({ $in: values });
      [values, units] = [[], 0];
    }
    values.push(text, ...(/^-?\d{1,15}$/.test(text) ? [Number(text)] : []));
    units += size;
  }
  if (values.length > 0) yield JSON.stringify({ $in: values });
}
