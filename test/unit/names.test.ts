/** Unknown names: which of those there are was probably meant, and what a sentence says of it. */
import { describe, expect, it } from 'vitest';
import { nearest, unknownName } from '../../src/domain/names.ts';
import { OPERATOR_NAMES } from '../../src/operators/filter/grammar.ts';
import { NAMES } from '../../src/operators/context.ts';

describe('the nearest name', () => {
  const cases: [string, readonly string[], readonly string[]][] = [
    ['eq', ['$and', '$eq', '$gt'], ['$eq']],
    ['$GTE', ['$gt', '$gte'], ['$gte']],
    [
      'endpointAccessList',
      ['active', 'endpoint-access-list', 'document-access-list'],
      ['endpoint-access-list'],
    ],
    ['$regexp', OPERATOR_NAMES, ['$regex']],
    ['$elementMatch', OPERATOR_NAMES, ['$elemMatch']],
    ['$exits', OPERATOR_NAMES, ['$exists']],
    ['pgae', ['page', 'sort'], ['page']],
    ['inlcude', ['fields', 'include'], ['include']],
    ['$concatenate', NAMES.expressions, ['$concat']],
    ['$increment', ['$inc', '$mul'], ['$inc']],
    ['subtr', ['$add', '$subtract'], ['$subtract']],
    ['$dateToStr', NAMES.expressions, ['$dateToString']],
    ['nonsense', ['page', 'sort'], []],
    ['', ['page'], []],
    ['$', ['$a'], []],
  ];
  it.each(cases)('to %s', (name, names, expected) => {
    expect([...nearest(name, names)].sort()).toEqual([...expected].sort());
  });
});

describe('the sentence about an unknown name', () => {
  it('lists a few names, and the nearest first', () => {
    expect(unknownName('raed', { what: 'right', where: 'here', names: ['read', 'update', 'delete'] })).toBe(
      'There is no right raed here. Did you mean read? There are read, update and delete.',
    );
  });

  it('names where a long list stands, and lists none of it', () => {
    const known = { what: 'operator', names: NAMES.expressions, listed: '/docs/x' };
    expect(unknownName('$ad', known)).toMatch(
      /^There is no operator \$ad\. Did you mean \$add\b.*\? All are listed at \/docs\/x\.$/,
    );
    expect(unknownName('$zzzzzzzz', known)).toBe(
      'There is no operator $zzzzzzzz. All are listed at /docs/x.',
    );
  });

  it('repeats no more of a name than a hundred characters, and compares fewer', () => {
    const sentence = unknownName('$eq'.repeat(1_000_000), { what: 'operator', names: OPERATOR_NAMES });
    expect(sentence.length).toBeLessThan(1_000);
  });
});
