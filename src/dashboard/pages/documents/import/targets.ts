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
    const texts = [...new Set(values.filter((value) => linkIn(value) === undefined).map(textOf))];
    for (let at = 0; at < texts.length; at += TOGETHER) {
      const query = {
        [`filter[${by}]`]: filterOf(texts.slice(at, at + TOGETHER)),
        [`fields[${type}]`]: by,
        'page[size]': '1000',
      };
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

/** Values that one request asks for. */
const TOGETHER = 50;

/** What may be a number is looked for as one too. */
function filterOf(texts: readonly string[]): string {
  return JSON.stringify({
    $in: [...texts, ...texts.filter((text) => /^-?\d{1,15}$/.test(text)).map(Number)],
  });
}
