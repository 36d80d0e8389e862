/** Operators of MongoDB that pipelines refuse, with the reason: they run code, or leave the input type. */

const CODE = 'pipelines run no code';
const OTHER_DATA = 'a pipeline reads its input type and nothing else';
const WRITES = 'a pipeline only reads';
const META = 'there is no such metadata here';

const REFUSED_OPERATORS: Readonly<Record<string, string>> = {
  $function: CODE,
  $where: CODE,
  $accumulator: CODE,
  $expr: 'expressions need no wrapping here',
  $meta: META,
  $text: 'it belongs into a filter stage',
  $regex: 'in expressions it is $regexMatch',
  $lookup: OTHER_DATA,
  $out: WRITES,
  $merge: WRITES,
  $sampleRate: 'the sample stage takes a sample',
};

export function refusalOf(name: string, given = name): string | undefined {
  return Object.hasOwn(REFUSED_OPERATORS, name)
    ? `${given} is refused: ${REFUSED_OPERATORS[name]}.`
    : undefined;
}

export const REFUSED_STAGES: Readonly<Record<string, string>> = {
  lookup: OTHER_DATA,
  graphLookup: OTHER_DATA,
  unionWith: OTHER_DATA,
  out: WRITES,
  merge: WRITES,
  expr: 'expressions stand in project and group',
  function: CODE,
  where: CODE,
  accumulator: CODE,
};

/** Names that MongoDB has for stages that are here under another one. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  match: 'filter',
  addFields: 'project',
  set: 'project',
  replaceRoot: 'project',
};
