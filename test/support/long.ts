/**
 * Two forms of what takes long: `npm test` runs the short one, `npm run test:long` the long one, which tries more of
 * the same. TEST_LONG names the parts of the source whose tests are long: `dashboard`, and `store` for all else. What
 * takes minutes even so is of the part `whole`, which `.ci/run` leaves out.
 */
const LONG = (process.env['TEST_LONG'] ?? '').split(' ');

type Part = 'dashboard' | 'store' | 'whole';

export const isLong = (part: Part): boolean => LONG.includes(part);

/**
 * So many runs of a property, or so many finds that its runs must make, with `whole`; two fifths in the long form of
 * `.ci/run`, a fifth in the short one.
 */
export const scaled = (most: number, part: Part = 'store'): number =>
  isLong('whole') ? most : Math.ceil((most / 5) * (isLong(part) ? 2 : 1));

/** So many runs in each long form: of few, the last may be the first that notices a breakage. */
export const few = (most: number): number => (isLong('store') ? most : Math.ceil(most / 5));

/** All of a list in the long form; in the short one, one in so many, from the first or another on. */
export function some<T>(all: readonly T[], each: number, part: Part = 'store', from = 0): readonly T[] {
  return isLong(part) ? all : all.filter((_, at) => at % each === from);
}
