/**
 * Finding a name given twice in one object of a JSON text. `JSON.parse` keeps the last one and drops the others
 * without a word; a filter must never hold less than was asked.
 */
import { inside, type Place } from '../pointer.ts';

/** An open array or object: its place, its names so far (an array has none), and its position. */
interface Open {
  readonly place: Place;
  readonly names: Set<string> | null;
  key: string | number;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]/g;

/** The place of the first name that is not the first of its kind, or undefined. The text must be valid JSON. */
export function findDuplicate(text: string): Place | undefined {
  const open: Open[] = [];
  let previous = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const top = open.at(-1);
    if (token === '{' || token === '[') {
      const place = top === undefined ? null : inside(top.place, top.key);
      open.push(token === '{' ? { place, names: new Set(), key: '' } : { place, names: null, key: 0 });
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ',' && typeof top?.key === 'number') {
      top.key += 1;
    } else if (token === ':' && top?.names) {
      // The text before a colon is a name. Escapes may spell one name in two ways.
      const name = String(JSON.parse(previous));
      if (top.names.has(name)) return inside(top.place, name);
      top.names.add(name);
      top.key = name;
    }
    previous = token;
  }
  return undefined;
}
