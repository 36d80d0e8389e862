/**
 * Names of members in a form that the library can put into URIs: it fails on half a surrogate pair. No other name has
 * the same form.
 */

const PREFIX = '\u0000';

export function shownName(name: string): string {
  return name.isWellFormed() && !name.startsWith(PREFIX) ? name : `${PREFIX}${JSON.stringify(name)}`;
}

export function nameShown(shown: string): string {
  return shown.startsWith(PREFIX) ? String(JSON.parse(shown.slice(1))) : shown;
}
