/** Fields of stored bodies in the paths of SQLite's JSON functions. */
import type { Path } from '../walk.ts';

/** Text that JSON writes without an escape: a body and the quotes of a path hold it in the same form. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[^"\\\u0000-\u001f]*$/;

/** The path of a field, as a literal of SQL; undefined for names that no path can be trusted to say. */
export function jsonPath(path: Path): string | undefined {
  const steps = path.map(jsonPathOf);
  if (steps.includes(null)) return undefined;
  const text = `$${steps.map((step) => step?.slice(1) ?? '').join('')}`;
  return `'${text.replaceAll("'", "''")}'`;
}

/** The path of a field of the document, or null for a name that no path can be trusted to say. */
export function jsonPathOf(name: string): string | null {
  return PLAIN.test(name) && name.isWellFormed() ? `$."${name}"` : null;
}
