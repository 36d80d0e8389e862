/** Patterns, and definitions that are wrong or too large as texts. */
import {
  doubling,
  evaluated,
  hostile,
  times,
  upTo,
  type HostilePipeline,
  type Sent,
} from './pipeline-hostile-case.ts';

export const PATTERNS: readonly HostilePipeline[] = [
  evaluated('nested quantifiers', { $regexMatch: { input: doubling(upTo(14)), regex: '(x+)+$' } }, 'either'),
  evaluated(
    'many alternatives',
    { $regexFindAll: { input: doubling(upTo(18)), regex: '(x|xx|xxx)*y' } },
    'either',
  ),
  evaluated('all empty matches of a long string', {
    $regexFindAll: { input: doubling(upTo(18)), regex: 'y*' },
  }),
  evaluated('a search for each item', {
    $map: { input: upTo(100000), in: { $regexFind: { input: '$s', regex: '(a|b|c|x)*(d|x){1,50}' } } },
  }),
  evaluated('a pattern that is made', { $regexMatch: { input: '$s', regex: doubling(upTo(12)) } }),
  hostile('a filter behind others', [{ limit: 9 }, { filter: { s: { $regex: '(x+x+)+y' } } }], 'answered'),
  evaluated('patterns that are all different', {
    $map: {
      input: upTo(200000),
      in: { $regexMatch: { input: '$s', regex: { $concat: ['(a|b){1,100}', { $toString: '$$this' }] } } },
    },
  }),
];

export const DEFINITIONS: readonly HostilePipeline[] = [
  hostile('a pipeline that is an object', { limit: 1 }, 'refused'),
  hostile('null', null, 'refused'),
  hostile(
    'a thousand stages',
    Array.from({ length: 1000 }, () => ({ limit: 1 })),
    'refused',
  ),
  evaluated(
    'ninety levels of operators',
    times<Sent>(90, '$s', (inner) => ({ $not: inner })),
    'refused',
  ),
  evaluated(
    'ninety levels of arrays',
    times<Sent>(90, '$s', (inner) => [inner]),
    'refused',
  ),
  hostile(
    'ninety levels of $and',
    [{ filter: times<Sent>(45, { a: 1 }, (inner) => ({ $and: [inner] })) }],
    'refused',
  ),
  evaluated('ten thousand operands', { $add: Array.from({ length: 10_000 }, () => '$zero') }, 'answered'),
  evaluated(
    'ten thousand faults',
    Array.from({ length: 10_000 }, () => ({ $nothing: 1 })),
    'refused',
  ),
  evaluated(
    'constants that take long',
    Array.from({ length: 2_000 }, () => ({ $size: { $range: [0, 90_000] } })),
    'either',
  ),
  hostile(
    'code',
    [{ project: { v: { $function: { body: 'while(true);', args: [], lang: 'js' } } } }],
    'refused',
  ),
  hostile('another type', [{ lookup: { from: 'core.api-key', as: 'keys' } }], 'refused'),
  hostile(
    'the prototype',
    [{ project: { __proto__: null, constructor: '$__proto__.polluted' } }],
    'answered',
  ),
  hostile('a stage named as a method', [{ toString: 1 }], 'refused'),
  evaluated('an operator named as a method', { constructor: { $toString: '$zero' } }, 'answered'),
  hostile('an accumulator named as a method', [{ group: { v: { valueOf: 1 } } }], 'refused'),
];
