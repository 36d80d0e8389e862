/** The header `Prefer` (RFC 7240): the one place that reads it, and tells which preferences were applied. */
import { PREFERENCES, type PreferenceName, type Preferences } from '../modules/preferences.ts';
import { splitUnquoted } from './negotiation.ts';

/** Heeded by every endpoint. */
const EVERYWHERE: readonly PreferenceName[] = ['server-timing', 'explain'];

function preferencesOf(
  valueOf: (name: PreferenceName, values: readonly string[]) => string | null,
): Preferences {
  const read = Object.entries(PREFERENCES).map(([name, { values }]) => [
    name,
    valueOf(name as PreferenceName, values),
  ]);
  // No type says that entries of a table are the object of its rows.
  return Object.fromEntries(read) as Preferences;
}

/** No preference is heeded. */
export const UNHEEDED = preferencesOf(() => null);

/**
 * The preferences of a request that an endpoint heeds. All others are ignored, and so are malformed ones: a preference
 * is never a fault. Of two with one name the first counts (RFC 7240, section 2).
 */
export function readPrefer(header: string | null, heeded: readonly PreferenceName[] = []): Preferences {
  if (header === null) return UNHEEDED;
  const sent = new Map<string, string>();
  for (const member of splitUnquoted(header, ',')) {
    // Preferences of this service have no parameters.
    const [preference = ''] = splitUnquoted(member, ';');
    const [name = '', value = ''] = splitUnquoted(preference, '=').map((part) => part.trim());
    if (!sent.has(name.toLowerCase())) sent.set(name.toLowerCase(), unquoted(value));
  }
  return preferencesOf((name, values) =>
    heeded.includes(name) || EVERYWHERE.includes(name)
      ? (values.find((each) => each === sent.get(name)) ?? null)
      : null,
  );
}

function unquoted(value: string): string {
  const quoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return quoted ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
}

/** The header that tells which preferences an answer follows; null without any. `shows`: whether it has a body. */
export function preferenceApplied(
  preferences: Preferences,
  shows: boolean,
): Readonly<Record<string, string>> | null {
  const { return: preferred, ...others } = preferences;
  const followed = { ...others, return: preferred === 'representation' && !shows ? null : preferred };
  const applied = Object.entries<string | null>(followed).flatMap(([name, value]) =>
    value === null ? [] : value === '' ? name : `${name}=${value}`,
  );
  return applied.length === 0 ? null : { 'Preference-Applied': applied.join(', ') };
}
