/**
 * Names of members in a form that the library can put into URIs: it fails on half a surrogate pair. No other name has
 * the same form.
 */

const MARK = '\u0000';

export function shownName(name: string): string {
  return name.isWellFormed() && !name.startsWith(MARK) ? name : `${MARK}${JSON.stringify(name)}`;
}

export function nameShown(shown: string): string {
  return shown.startsWith(MARK) ? String(JSON.parse(shown.slice(1))) : shown;
}
