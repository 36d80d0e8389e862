/** JSON pointers (RFC 6901), built only when a problem needs one, and read. */

/** A place in a JSON text, from the inside out. `null` is the whole text. */
export type Place = { readonly parent: Place; readonly key: string | number } | null;

/** Hears of a fault, with its place. */
export type Report = (place: Place, detail: string) => void;

/** The place of a member or element of what is at `parent`. */
export function inside(parent: Place, key: string | number): Place {
  return { parent, key };
}

/** The pointer of nested keys. */
export function placeOf(...keys: readonly (string | number)[]): Place {
  return keys.reduce<Place>(inside, null);
}

export function within(outer: Place, inner: Place): Place {
  return inner === null ? outer : inside(within(outer, inner.parent), inner.key);
}

/** The place as a JSON pointer, such as `/data/attributes/a~1b/0`. */
export function pointerOf(place: Place): string {
  if (place === null) return '';
  const step = String(place.key).replaceAll('~', '~0').replaceAll('/', '~1');
  return `${pointerOf(place.parent)}/${step}`;
}

/** The names and places that a pointer leads over. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(stepOf);
}

export function stepOf(escaped: string): string {
  return escaped.replaceAll('~1', '/').replaceAll('~0', '~');
}
