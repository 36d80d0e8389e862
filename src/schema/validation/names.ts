/**
 * Names of members as the library can read them: it puts them into URIs, and fails on half a surrogate pair. Such names
 * are shown in another form, which no other name has.
 */

const MARK = '\u0000';

export function shownName(name: string): string {
  return name.isWellFormed() && !name.startsWith(MARK) ? name : `${MARK}${JSON.stringify(name)}`;
}

export function nameShown(shown: string): string {
  return shown.startsWith(MARK) ? String(JSON.parse(shown.slice(1))) : shown;
}
