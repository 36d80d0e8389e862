/**
 * Stand-ins for schemas and values of the client that the library must not see: names that patterns match, and values
 * that are compared by their keys.
 */
import { choicesOf, keyOfArgument, keyOfDocument } from '../keys.ts';
import type { Plain } from '../plain.ts';
import type { Work } from '../work.ts';
import type { Level } from './level.ts';
import { librarySchema, NOTING, type LibrarySchema } from './library.ts';
import { shownName } from './names.ts';
import type { Applied } from './translate.ts';

/** A member whose name matches a pattern, and the schema that this has for it. */
export interface Match {
  readonly name: string;
  readonly applied: Applied;
}

export const ALL_DIFFERENT = librarySchema({ uniqueItems: true });

/** The schema of a level, which notes the members whose names patterns match. */
export function mainSchema(level: Level, matches: readonly Match[]): LibrarySchema {
  if (matches.length === 0) return level.main;
  const matched = matches
    .map(({ name }) => shownName(name))
    .filter((name) => !Object.hasOwn(level.properties, name))
    .map((name) => [name, NOTING['patternProperties']] as const);
  return librarySchema({
    ...level.main,
    properties: { ...level.properties, ...Object.fromEntries(matched) },
  });
}

/** The schema of `const` or `enum` for the key of a value. Of many choices the library sees the one that may be it. */
export function choiceSchema(keyword: string, argument: Plain, key: string): LibrarySchema {
  if (keyword === 'const') return librarySchema({ const: keyOfArgument(argument) });
  return librarySchema({ enum: choicesOf(argument).has(key) ? [key] : [] });
}

/** Two equal items of a list, by their keys; none if all are different. Two suffice to show that they are not. */
export function equalItems(items: readonly Plain[], work: Work): readonly string[] {
  const keys = new Map<string, number>();
  for (const item of items) {
    const key = keyOfDocument(item, work);
    keys.set(key, (keys.get(key) ?? 0) + 1);
  }
  const again = [...keys].find(([, count]) => count > 1);
  return again ? [again[0], again[0]] : [];
}

/** The keyword of the client's schema that the library means by one of its own. */
export function keywordOf(name: string, isFirst: boolean, level: Level): string {
  if (name === 'minContains' || name === 'maxContains') return 'contains';
  if (name !== 'format') return name;
  return isFirst && level.argument('pattern') !== undefined ? 'pattern' : 'format';
}
