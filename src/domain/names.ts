/**
 * Sentences about a name that is none of those there are: which one was probably meant, and which there are. A leaf
 * without I/O. The name is a client's, so its length, and with it the work, is bounded.
 */

/** What is wrong, as a sentence, or how to make the sentence: where faults may be many, only those told are made. */
export type Detail = string | (() => string);

export function sentenceOf(detail: Detail): string {
  return typeof detail === 'string' ? detail : detail();
}

/** Characters of a strange name that are compared, and of one that is shown. */
const COMPARED = 40;
const SHOWN = 100;

/** More names than this are not listed. */
const LISTED = 20;

/** Characters that make the beginning of a name worth a guess. */
const BEGINNING = 3;

/** Names that are offered at most. */
const OFFERED = 3;

/** A client's name as a sentence shows it. */
export function shownName(name: string): string {
  return name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name;
}

/** What the names there are is, and where a long list of them stands. */
export interface KnownNames {
  /** What a name is, such as `operator`. */
  readonly what: string;
  readonly names: readonly string[];
  /** Where the documentation lists them, such as `/docs/search#operators`. */
  readonly listed?: string;
  /** Words after the name, such as `here`. */
  readonly where?: string;
}

/** `There is no operator $eqq. Did you mean $eq? There are …` */
export function unknownName(name: string, { what, names, listed, where }: KnownNames): string {
  const place = where === undefined ? '' : ` ${where}`;
  return `There is no ${what} ${shownName(name)}${place}.${hintOf(name, names, listed)}`;
}

/** The members of an object that have none of these names, each with what is wrong. */
export function strangersIn(
  value: object,
  names: readonly string[],
): readonly (readonly [name: string, detail: Detail])[] {
  return Object.keys(value)
    .filter((name) => !names.includes(name))
    .map((name) => [name, () => unknownName(name, { what: 'member', where: 'here', names })]);
}

/** What follows a sentence about an unknown name, with a blank before it: the nearest names, and the others. */
export function hintOf(name: string, names: readonly string[], listed?: string): string {
  const offer = offerOf(name, names);
  if (names.length === 0) return offer;
  if (names.length <= LISTED) {
    return `${offer} There ${names.length === 1 ? 'is' : 'are'} ${oneOf(names, 'and')}.`;
  }
  return listed === undefined ? offer : `${offer} All are listed at ${listed}.`;
}

/** The nearest names as a question, after a blank; nothing where none is near, or the text is no name at all. */
export function offerOf(name: unknown, names: readonly string[]): string {
  const near = typeof name === 'string' ? nearest(name, names) : [];
  return near.length === 0 ? '' : ` Did you mean ${oneOf(near, 'or')}?`;
}

/** `a, b or c` */
export function oneOf(names: readonly string[], word: 'and' | 'or'): string {
  return names.join(', ').replace(/, ([^,]*)$/, ` ${word} $1`);
}

/** The names that are nearest to a strange one, the nearest first; none where none is near. */
export function nearest(name: string, names: readonly string[]): readonly string[] {
  const plain = plainOf(name.slice(0, COMPARED));
  if (plain === '') return [];
  const most = Math.max(1, Math.min(3, Math.floor(plain.length / 3)));
  const near = names
    .map((each) => [each, farness(plain, plainOf(each), most)] as const)
    .filter(([, far]) => far <= most)
    .sort(([, one], [, other]) => one - other);
  const [first] = near;
  // What is as near as the nearest, or one edit farther: more would be no help.
  return near
    .filter(([, far]) => first !== undefined && far <= (first[1] === 0 ? 0 : first[1] + 1))
    .slice(0, OFFERED)
    .map(([each]) => each);
}

/** A name as it is compared: signs and case are what is forgotten most. */
function plainOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** As the distance, but the beginning of a name is never too far from it. */
function farness(one: string, other: string, most: number): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const far = distance(one, other, most);
  return short.length >= BEGINNING && long.startsWith(short) ? Math.min(far, most) : far;
}

/**
 * How many letters must be added, taken away, replaced or swapped with their neighbour to make one name of another
 * (optimal string alignment); more than `most` where it is more than that.
 */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    let least = row;
    for (let at = 1; at <= other.length; at += 1) {
      const same = one[row - 1] === other[at - 1];
      let far = Math.min(
        (above[at] ?? 0) + 1,
        (line[at - 1] ?? 0) + 1,
        (above[at - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (swapped) far = Math.min(far, (before[at - 2] ?? 0) + 1);
      line.push(far);
      least = Math.min(least, far);
    }
    if (least > most) return most + 1;
    before = above;
    above = line;
  }
  return above[other.length] ?? most + 1;
}
