/** A document as its schemas see it (docs/schemas.md, What is validated). Numbers are doubles here. */
import type { Json } from '../../../../client/values.ts';
import { isItems, isMembers } from '../../../parts/json.ts';
import { isoOf, kindOf, textOf } from '../../../parts/kinds.ts';
import type { Draft } from '../draft.ts';

export function shownToSchemas({ attributes, relationships }: Draft): unknown {
  const links = Object.entries(relationships).map(([name, data]) => [name, data === null ? null : { data }]);
  return {
    ...(Object.keys(attributes).length > 0 && { attributes: shown(attributes) }),
    ...(links.length > 0 && { relationships: Object.fromEntries(links) as unknown }),
  };
}

function shown(json: Json): unknown {
  const kind = kindOf(json);
  if (kind === 'date') return isoOf(json) ?? '';
  if (kind === 'long' || kind === 'decimal') return Number(textOf(json));
  if (kind === 'id') return textOf(json);
  if (isItems(json)) return json.map(shown);
  if (!isMembers(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, shown(value)]));
}
