/** Cases of `$text`: words, phrases, exclusions, and where the operator may stand. */
import { cases, Parameters, type FilterCase } from './filter-case.ts';

const RECIPES = [
  { title: 'Coffee cake', notes: 'with sugar' },
  { title: 'Tea', tags: ['hot', 'coffee house'] },
  { title: 'CAFÉ au lait', about: { by: 'Zoë', steps: [{ text: 'boil milk' }] } },
  { title: 'coffees' },
  { count: 5 },
  { title: 'cake, coffee' },
];

const words = cases('$text', RECIPES, [
  ['finds a word in any string', { $text: { $search: 'coffee' } }, [0, 1, 5]],
  ['does not mind the case', { $text: { $search: 'COFFEE' } }, [0, 1, 5]],
  ['does not mind diacritics, stored or asked for', { $text: { $search: 'cafe zoé' } }, [2]],
  ['finds whole words only', { $text: { $search: 'coff' } }, []],
  ['takes a word as it stands', { $text: { $search: 'coffees' } }, [3]],
  ['looks into objects and arrays at any depth', { $text: { $search: 'milk' } }, [2]],
  ['several words are alternatives', { $text: { $search: 'tea milk' } }, [1, 2]],
  ['a phrase must be there as it is', { $text: { $search: '"coffee cake"' } }, [0]],
  ['a word after a minus must not be there', { $text: { $search: 'coffee -cake' } }, [1]],
  ['what is only excluded finds nothing', { $text: { $search: '-cake' } }, []],
  ['the empty search finds nothing', { $text: { $search: '' } }, []],
  ['goes with conditions on fields', { title: 'Tea', $text: { $search: 'coffee' } }, [1]],
  [
    'may stand in $and',
    { $and: [{ $text: { $search: 'coffee' } }, { title: { $exists: true } }] },
    [0, 1, 5],
  ],
  ['may be an alternative of $or', { $or: [{ $text: { $search: 'milk' } }, { count: 5 }] }, [2, 4]],
  [
    'goes with filter[FIELD]',
    new Parameters([null, { $text: { $search: 'coffee' } }], ['notes', null]),
    [1, 5],
  ],
  [
    'may be told what it does anyway',
    { $text: { $search: 'coffee', $caseSensitive: false, $diacriticSensitive: false, $language: 'none' } },
    [0, 1, 5],
  ],
]);

const faults = cases(
  'faults of $text',
  [],
  [
    ['$search is needed', { $text: {} }, '/$text'],
    ['$search must be a string', { $text: { $search: 5 } }, '/$text'],
    ['a string alone will not do', { $text: 'coffee' }, '/$text'],
    ['an array will not do', { $text: ['coffee'] }, '/$text'],
    ['languages are not known', { $text: { $search: 'x', $language: 'en' } }, '/$text/$language'],
    ['the case cannot be minded', { $text: { $search: 'x', $caseSensitive: true } }, '/$text/$caseSensitive'],
    [
      'diacritics cannot be minded',
      { $text: { $search: 'x', $diacriticSensitive: true } },
      '/$text/$diacriticSensitive',
    ],
    ['other members are not known', { $text: { $search: 'x', $fuzzy: true } }, '/$text/$fuzzy'],
    [
      'a filter holds one',
      { $and: [{ $text: { $search: 'x' } }, { $text: { $search: 'y' } }] },
      '/$and/1/$text',
    ],
    ['it cannot stand in $nor', { $nor: [{ $text: { $search: 'x' } }] }, '/$nor/0/$text'],
    [
      'it cannot stand in $or within $nor',
      { $nor: [{ $or: [{ $text: { $search: 'x' } }] }] },
      '/$nor/0/$or/0/$text',
    ],
    ['it cannot stand under a field', new Parameters(['a', { $text: { $search: 'x' } }]), '/$text'],
    ['it cannot stand in $not', { a: { $not: { $text: { $search: 'x' } } } }, '/a/$not/$text'],
  ],
);

export const TEXT_CASES: readonly FilterCase[] = [...words, ...faults];
