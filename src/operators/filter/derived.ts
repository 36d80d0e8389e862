/**
 * Distance and relevance of documents that a search finds. Orders take them for fields, with names that no field can
 * have.
 */
import { ObjectId, type Fields } from '../../domain/values/values.ts';
import type { Condition } from './conditions.ts';
import { partsOf } from './map.ts';
import { compileDistance, nearOf } from '../query/near.ts';
import type { Numbers, SortField } from '../../query/order/sort.ts';
import { compileScore } from '../../query/text/score.ts';
import { seenIn } from '../../query/text/words.ts';

/** Meters from the point of `$near`, and the relevance to the words of `$text`. */
const NAMES = ['$distance', '$score'] as const;

export type DerivedName = (typeof NAMES)[number];

/** Values of documents; a document that the search does not find may have none. */
export type Derivations = Readonly<Partial<Record<DerivedName, (document: Fields) => number | null>>>;

export function isDerived(name: string | undefined): name is DerivedName {
  return NAMES.some((each) => each === name);
}

export function derivationsOf(condition: Condition): Derivations {
  const near = nearOf(condition);
  // None of the searches is negated (operators/filter/scope.ts).
  const texts = partsOf(condition).filter((part) => part.op === 'text');
  const scores = texts.map(({ search, only }) => {
    const score = compileScore(search);
    return (document: Fields) => score(seenIn(document, only));
  });
  return {
    ...(near !== undefined && { $distance: finite(compileDistance(near)) }),
    ...(scores.length > 0 && {
      $score: (document: Fields) => scores.reduce((sum, score) => sum + score(document), 0),
    }),
  };
}

/** A document with what an order needs of it. */
export function withDerived(
  derivations: Derivations,
  sort: readonly SortField[],
  numbers: Readonly<Record<string, Numbers>>,
) {
  const wanted = NAMES.filter((name) => sort.some(({ path: [first] }) => first === name));
  const counted = Object.entries(numbers);
  if (wanted.length === 0 && counted.length === 0) return null;
  return (document: Fields): Fields => {
    const { id } = document;
    const hex = id instanceof ObjectId ? id.hex : '';
    return {
      ...document,
      ...Object.fromEntries(wanted.map((name) => [name, derivations[name]?.(document) ?? null])),
      ...Object.fromEntries(counted.map(([name, of]) => [name, of[hex] ?? 0])),
    };
  };
}

/** The fields at the beginning of what an order looks at; null where it looks everywhere. */
export function fieldsOfSort(
  sort: readonly SortField[],
  condition: Condition,
  numbers: Readonly<Record<string, Numbers>>,
): readonly string[] | null {
  const names = sort.flatMap(({ path: [first] }) => first ?? []);
  if (names.includes('$score')) return null;
  const [near] = nearOf(condition)?.path ?? [];
  return names.flatMap((name) =>
    name === '$distance' ? (near ?? []) : Object.hasOwn(numbers, name) ? 'id' : name,
  );
}

function finite(distance: (document: Fields) => number): (document: Fields) => number | null {
  return (document) => {
    const meters = distance(document);
    return meters < Infinity ? meters : null;
  };
}
