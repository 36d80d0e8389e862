/** The rights that the settings of a type give on all its documents (docs/types.md), and who gets them. */
import { keyOf } from '../documents.ts';
import { isNewFieldName, type FieldName } from '../field-names.ts';
import { LIMITS } from '../limits.ts';
import { unknownName } from '../names.ts';
import { inside, type Place, type Report } from '../pointer.ts';
import { EVERYONE, readIdentity, RIGHTS, type Right } from '../rights.ts';
import { isList } from '../values/tree.ts';
import { isFields, type Value } from '../values/values.ts';

/** What settings may give: rights on every document, and the right to make one. */
export const GIVEN = [...RIGHTS, 'create'] as const;
export type GivenRight = (typeof GIVEN)[number];

/** Who gets each: `*`, an identity as `keyOf` writes it, `$creator`, or a link that gives it (`givenThrough`). */
export type GivenRights = Readonly<Partial<Record<GivenRight, readonly string[]>>>;

export function readRights(value: Value, place: Place, report: Report): GivenRights | null {
  if (!isFields(value)) {
    report(place, `The attribute rights must be an object with the members ${GIVEN.join(', ')}.`);
    return null;
  }
  const entries = Object.entries(value).flatMap(([name, list]) => {
    const given = GIVEN.find((each) => each === name);
    if (given !== undefined) return [[given, readEntries(given, list, inside(place, name), report)] as const];
    report(inside(place, name), unknownName(name, { what: 'right', where: 'here', names: GIVEN }));
    return [];
  });
  return { read: [], update: [], delete: [], ...Object.fromEntries(entries) };
}

function readEntries(given: GivenRight, value: Value, place: Place, report: Report): readonly string[] {
  if (!isList(value) || value.length > LIMITS.settingsEntries) {
    report(place, `A right must be an array of at most ${LIMITS.settingsEntries} entries.`);
    return [];
  }
  const entries = value.flatMap((entry, index) => {
    const read = readEntry(entry);
    if (read === undefined || (given === 'create' && read === CREATOR)) {
      const forms =
        '"*", an identity ({"type", "id"}), "$" and the name of a relationship, such as "$channel", ' +
        'or this and a right of the linked document, such as "$channel.update"';
      report(inside(place, index), `An entry must be ${forms}.`);
    }
    return read ?? [];
  });
  return [...new Set(entries)];
}

/** The entry for whoever created a document. */
export const CREATOR = '$creator';

function readEntry(value: Value): string | undefined {
  if (value === EVERYONE) return EVERYONE;
  if (typeof value !== 'string') {
    const identity = readIdentity(value);
    return identity && keyOf(identity);
  }
  return value === CREATOR || throughOf(value) !== null ? value : undefined;
}

function throughOf(entry: string) {
  if (!entry.startsWith('$')) return null;
  const [name = '', right, ...rest] = entry.slice(1).split('.');
  const known = right === undefined ? null : RIGHTS.find((each) => each === right);
  return isNewFieldName(name) && known !== undefined && rest.length === 0 ? { name, right: known } : null;
}

/** The relationship that an entry names, and the right that the linked document must give; null for other entries. */
export function givenThrough(entry: string, given: GivenRight): { name: FieldName; right: Right } | null {
  const through = entry === CREATOR ? null : throughOf(entry);
  return through && { name: through.name, right: through.right ?? (given === 'create' ? 'update' : given) };
}
