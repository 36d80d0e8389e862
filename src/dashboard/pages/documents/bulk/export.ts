/** Documents as a JSON file: an array of what they are, without the links of answers. */
import type { Resource } from '../../../../client/transport.ts';

/** One document on a line, as it could be sent to another application. */
export function lineOf({ type, id, attributes, relationships = {} }: Resource): string {
  const links = Object.entries(relationships).map(([name, { data = null }]) => [name, { data }]);
  return JSON.stringify({
    type,
    id,
    ...(attributes && { attributes }),
    ...(links.length > 0 && { relationships: Object.fromEntries(links) as unknown }),
  });
}
