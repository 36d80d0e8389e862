/**
 * Settings of a type (docs/types.md): what all its documents obey. This reads them from the attributes of a document of
 * type `core.type`, and says what is wrong with them. A leaf without I/O.
 */
import { LIMITS } from '../limits.ts';
import { inside, type Place, type Report } from '../pointer.ts';
import { readRights } from './rights.ts';
import { isLinkable } from './facts.ts';
import { parseDate } from '../values/dates.ts';
import { isList, memberOf } from '../values/tree.ts';
import { isFields, type Fields, type Value } from '../values/values.ts';
import { attributeOf, faultOfNewFieldName, isNewFieldName, type FieldName } from '../field-names.ts';

/** The documents of a type that link here through a relationship: what reads as a relationship of its own. */
export interface Inverse {
  readonly type: string;
  readonly through: FieldName;
}

/** Which former versions of documents are kept: those that meet both; null for all. */
export interface History {
  /** Days after their end. */
  readonly days: number | null;
  /** The last of each document. */
  readonly versions: number | null;
  /** Until then all are kept, whoever asks, in milliseconds since 1970. */
  readonly hold?: number;
}

/** When the hold of a history ends that has not ended yet; 0 without. */
export function holdOf(settings: Pick<TypeSettings, 'history'> | null): number {
  const { hold = 0 } = settings?.history ?? {};
  return hold > Date.now() ? hold : 0;
}

/** Sizes of pictures where no setting lists them. */
export const PICTURE_SIZES: readonly number[] = [64, 128, 256, 512, 1024, 2048];

/** A reader of each setting, by its name in camel case, and what holds without one. */
const SETTINGS = {
  /** Rights on every document; null without the setting. Without `create`, permissions alone decide about creates. */
  rights: setting(readRights, null),
  /** Lists of dotted paths whose values no two documents may share. */
  unique: setting(readUnique, []),
  /** The field whose date ends a document. */
  expires: setting(readField, null),
  /** Whether clients may choose ids. */
  clientIds: setting(readFlag, false),
  inverses: setting(readInverses, {}),
  /** The relationships that may link to documents of aggregates. */
  aggregateLinks: setting(readNames('relationships'), []),
  /** The relationships whose files are read by whoever may read the document, and go with the last such document. */
  files: setting(readNames('relationships'), []),
  /** Whether the index of words is made before somebody asks for it. */
  text: setting(readFlag, false),
  /** In pixels, the widths and heights that pictures may be asked for in; null for `PICTURE_SIZES`. */
  sizes: setting(readSizes, null),
  /** Whether pictures in sizes keep what cameras write into them. */
  keepMetadata: setting(readFlag, false),
  /** Of all files of one user; null for any number. */
  bytesPerUser: setting(readBytes, null),
  /** The JSON text of what documents must be when they are written (operators/settings); null for nothing. */
  checks: setting(readJson, null),
  /** The JSON text of the fields that the service computes (operators/settings); null for none. */
  set: setting(readJson, null),
  /** The JSON text of what counts linked documents (operators/settings); null for nothing. */
  count: setting(readJson, null),
  /** The attributes of users that `checks` and `set` may look at. */
  viewer: setting(readNames('attributes'), []),
  /** Null where nothing is kept. */
  history: setting(readHistory, null),
};

/** Those for whoever shows documents: a collection needs neither. */
const SHOWN = { title: readField, views: readViews };

/** Plain data: it crosses RPC, and is stored as JSON. */
export type TypeSettings = { readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['absent'] };

/** What settings that do not exist are. Stored ones may lack what came later. */
export const NO_SETTINGS = settingsOf(() => null);

export const SETTING_NAMES: readonly string[] = [
  'name',
  ...[...Object.keys(SETTINGS), ...Object.keys(SHOWN)].map(attributeOf),
];

/** The settings that attributes hold. `report` hears of each fault, with its place inside the attributes. */
export function readTypeSettings(attributes: Fields, report: Report): TypeSettings {
  const read = <T>(name: string, reader: Reader<T>) => {
    const value = memberOf(attributes, name) ?? null;
    return value === null ? null : reader(value, inside(null, name), report);
  };
  for (const [name, reader] of Object.entries(SHOWN)) read<unknown>(name, reader);
  return settingsOf((name, reader) => read(name, reader));
}

type Reader<T> = (value: Value, place: Place, report: Report) => T;

/** Keeps the type of its value in the table. */
function setting<T>(read: Reader<T>, absent: NoInfer<T>) {
  return { read, absent };
}

/** Null from `read` is as if the attribute were not there. */
function settingsOf(read: (name: string, reader: Reader<unknown>) => unknown): TypeSettings {
  const entries = Object.entries(SETTINGS).map(([name, row]) => [
    name,
    read(attributeOf(name), row.read) ?? row.absent,
  ]);
  // No type says that entries of a table are the object of its rows.
  return Object.fromEntries(entries) as TypeSettings;
}

function readBytes(value: Value, place: Place, report: Report): number | null {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  report(place, 'The attribute bytes-per-user must be a whole number from 0, or null.');
  return null;
}

/** JSON that is stored as text; whoever reads it says what is wrong with it. */
function readJson(value: Value): string | null {
  return typeof value === 'string' && value !== 'null' ? value : null;
}

function readField(value: Value, place: Place, report: Report): FieldName | null {
  if (typeof value === 'string' && isNewFieldName(value)) return value;
  report(place, `The attribute ${place?.key ?? ''} must be the name of a field, or null.`);
  return null;
}

function readViews(value: Value, place: Place, report: Report): void {
  const { settingsViews: most, settingsView: longest } = LIMITS;
  const isText = (each: Value) => typeof each === 'string' && each.length <= longest;
  if (isFields(value) && Object.keys(value).length <= most && Object.values(value).every(isText)) return;
  const form = `{"newest": "sort=-id"}: at most ${most} queries of at most ${longest} characters, by name`;
  report(place, `The attribute views must be an object such as ${form}.`);
}

function readFlag(value: Value, place: Place, report: Report): boolean {
  if (typeof value !== 'boolean') report(place, `The attribute ${place?.key ?? ''} must be true or false.`);
  return value === true;
}

function readSizes(value: Value, place: Place, report: Report): readonly number[] | null {
  const { pictureSide, pictureSizes } = LIMITS;
  const isSide = (each: Value): each is number =>
    typeof each === 'number' && Number.isInteger(each) && each >= 1 && each <= pictureSide;
  if (isList(value) && value.length <= pictureSizes && value.every(isSide)) return value;
  const form = `an array of at most ${pictureSizes} integers from 1 to ${pictureSide}`;
  report(place, `The attribute sizes must be ${form}, such as [64, 512], or null.`);
  return null;
}

function readHistory(value: Value, place: Place, report: Report): History | null {
  if (value === 'forever') return { days: null, versions: null };
  const { hold, ...others } = isFields(value) ? value : {};
  const until = typeof hold === 'string' ? parseDate(hold)?.getTime() : undefined;
  const members = Object.entries(others);
  const bounds = { days: LIMITS.historyDays, versions: LIMITS.historyVersions };
  const isRight = ([name, number]: (typeof members)[number]) =>
    (name === 'days' || name === 'versions') &&
    typeof number === 'number' &&
    Number.isInteger(number) &&
    number >= 1 &&
    number <= bounds[name];
  const isNone = members.length === 0 && hold === undefined;
  if (isNone || !members.every(isRight) || (hold === undefined) !== (until === undefined)) {
    const form = `{"days": 1 to ${bounds.days}, "versions": 1 to ${bounds.versions}, "hold": a date}`;
    report(place, `The attribute history must be "forever", or some of ${form}.`);
    return null;
  }
  const given = Object.fromEntries(members) as Partial<Record<keyof typeof bounds, number>>;
  return {
    days: given.days ?? null,
    versions: given.versions ?? null,
    ...(until !== undefined && { hold: until }),
  };
}

function readUnique(value: Value, place: Place, report: Report): readonly (readonly string[])[] {
  const { settingsUnique, settingsPaths } = LIMITS;
  if (!isList(value) || value.length > settingsUnique) {
    report(
      place,
      `The attribute unique must be an array of at most ${settingsUnique} arrays of field paths.`,
    );
    return [];
  }
  const known = new Set<string>();
  return value.map((list, index) => {
    const at = inside(place, index);
    const text = JSON.stringify(list);
    if (known.has(text)) report(at, 'These fields are unique together already.');
    known.add(text);
    if (isList(list) && list.length > 0 && list.length <= settingsPaths) {
      const paths = list.map((path, position) => readPath(path, inside(at, position), report));
      if (new Set(paths).size < paths.length) report(at, 'No path may stand twice in one array.');
      return paths;
    }
    report(at, `Fields that are unique together must be an array of 1 to ${settingsPaths} paths.`);
    return [];
  });
}

/** A name that might be a position in an array: a path has the values of all its elements. */
const POSITION = /^[0-9]+$/;

function readPath(value: Value, place: Place, report: Report): string {
  const path = typeof value === 'string' ? value : '';
  const [first = '', ...rest] = path.split('.');
  const wrong =
    path.length > LIMITS.settingsPath ||
    !isNewFieldName(first) ||
    rest.some((name) => name === '' || name.startsWith('$') || POSITION.test(name));
  if (wrong) {
    const form = 'such as "slug" or "author.id", that begins with the name of a field';
    report(place, `A path must be a string of at most ${LIMITS.settingsPath} characters, ${form}.`);
  }
  return path;
}

function readInverses(value: Value, place: Place, report: Report): Readonly<Record<string, Inverse>> {
  if (!isFields(value) || Object.keys(value).length > LIMITS.settingsInverses) {
    const form = 'such as {"comments": {"type": "comments", "through": "post"}}';
    report(
      place,
      `The attribute inverses must be an object of at most ${LIMITS.settingsInverses} members, ${form}.`,
    );
    return {};
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inverse]) => {
      const at = inside(place, name);
      const fault = faultOfNewFieldName(name);
      if (fault !== undefined) report(at, fault);
      const read = readInverse(inverse, at, report);
      return read === undefined ? [] : [[name, read] as const];
    }),
  );
}

function readNames(what: string) {
  return (value: Value, place: Place, report: Report): readonly FieldName[] => {
    if (!isList(value) || value.length > LIMITS.settingsRelationships) {
      const form = `an array of at most ${LIMITS.settingsRelationships} names of ${what}`;
      report(place, `The attribute ${place?.key ?? ''} must be ${form}.`);
      return [];
    }
    const names = value.flatMap((name, index) => {
      if (typeof name === 'string' && isNewFieldName(name)) return name;
      const fault = typeof name === 'string' ? faultOfNewFieldName(name) : undefined;
      report(inside(place, index), fault ?? 'A name must be a string.');
      return [];
    });
    return [...new Set(names)];
  };
}

function readInverse(value: Value, place: Place, report: Report): Inverse | undefined {
  const type = isFields(value) ? memberOf(value, 'type') : undefined;
  const through = isFields(value) ? memberOf(value, 'through') : undefined;
  if (
    !isFields(value) ||
    Object.keys(value).length !== 2 ||
    typeof type !== 'string' ||
    typeof through !== 'string'
  ) {
    report(place, 'An inverse must be an object with the strings type and through, and nothing else.');
    return undefined;
  }
  if (!isLinkable(type)) report(inside(place, 'type'), 'The type must be one whose documents are stored.');
  if (isNewFieldName(through)) return { type, through };
  report(inside(place, 'through'), 'The member through must be the name of a relationship.');
  return undefined;
}
