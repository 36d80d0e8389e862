/** Cases of logic: `$and`, `$or`, `$nor`, `$not`, their nesting, and what may not stand where. */
import { cases, Parameters, type FilterCase } from './filter-case.ts';

const DOCUMENTS = [
  { x: 1, y: 1 },
  { x: 1, y: 2 },
  { x: 2, y: 1 },
  { x: 2, y: 2 },
  { x: 1 },
  { y: [1, 2] },
  {},
];

const trees = cases('$and, $or, $nor', DOCUMENTS, [
  ['$and needs all', { $and: [{ x: 1 }, { y: 1 }] }, [0]],
  ['$and says the same as fields side by side', { x: 1, y: 1 }, [0]],
  ['filter[x] and filter[y] say the same as $and', new Parameters(['x', 1], ['y', 1]), [0]],
  ['$and may hold the same field twice', { $and: [{ y: 1 }, { y: 2 }] }, [5]],
  ['$and of the empty expression matches everything', { $and: [{}] }, [0, 1, 2, 3, 4, 5, 6]],
  ['$or needs one', { $or: [{ x: 2 }, { y: 2 }] }, [1, 2, 3, 5]],
  ['$or with the empty expression matches everything', { $or: [{ x: 9 }, {}] }, [0, 1, 2, 3, 4, 5, 6]],
  ['$or beside a field must hold as well', { x: 1, $or: [{ y: 1 }, { y: null }] }, [0, 4]],
  ['$nor needs none', { $nor: [{ x: 1 }, { y: 1 }] }, [3, 6]],
  ['$and within $or', { $or: [{ $and: [{ x: 1 }, { y: 2 }] }, { $and: [{ x: 2 }, { y: 1 }] }] }, [1, 2]],
  ['$or over arrays is met by different items', { $or: [{ y: 1 }, { y: 2 }] }, [0, 1, 2, 3, 5]],
  [
    'deep nesting within the limit is read',
    { $and: [{ $and: [{ $and: [{ $and: [{ x: 1 }] }] }] }] },
    [0, 1, 4],
  ],
]);

const NOT = [
  { n: 1 },
  { n: 5 },
  { n: [1, 5] },
  { n: '5' },
  { n: null },
  {},
  { n: 'abc' },
  { n: ['abc', 'xyz'] },
];

const not = cases('$not', NOT, [
  ['takes in other kinds and missing', { n: { $not: { $gt: 3 } } }, [0, 3, 4, 5, 6, 7]],
  ['is refused by one item of an array', { n: { $not: { $gte: 5 } } }, [0, 3, 4, 5, 6, 7]],
  ['of two operators needs one of them to fail', { n: { $not: { $gt: 3, $lt: 9 } } }, [0, 3, 4, 5, 6, 7]],
  ['two operators may be met by two items', { n: { $not: { $gt: 3, $lt: 3 } } }, [0, 1, 3, 4, 5, 6, 7]],
  ['takes a pattern', { n: { $not: { $regex: '^a' } } }, [0, 1, 2, 3, 4, 5]],
  ['goes with other operators', { n: { $not: { $gt: 3 }, $exists: true } }, [0, 3, 4, 6, 7]],
]);

const faults = cases(
  'faults of logic',
  [],
  [
    ['$and needs an array', { $and: { x: 1 } }, '/$and'],
    ['$or needs an array', { $or: 1 }, '/$or'],
    ['$nor needs an array', { $nor: null }, '/$nor'],
    ['$and must not be empty', { $and: [] }, '/$and'],
    ['$or must not be empty', { $or: [] }, '/$or'],
    ['$nor must not be empty', { $nor: [] }, '/$nor'],
    ['each item must be an object', { $and: [{ x: 1 }, 2] }, '/$and/1'],
    ['null is no expression', { $or: [null] }, '/$or/0'],
    ['an array is no expression', { $nor: [[{ x: 1 }]] }, '/$nor/0'],
    ['an operator on a field needs the field', { $or: [{ $gt: 1 }] }, '/$or/0/$gt'],
    ['$not stands under a field', { $not: { x: 1 } }, '/$not'],
    ['$not needs operators', { x: { $not: 1 } }, '/x/$not'],
    ['$not takes no object of fields', { x: { $not: { y: 1 } } }, '/x/$not'],
    ['$not must not be empty', { x: { $not: {} } }, '/x/$not'],
    ['$not takes no array', { x: { $not: [{ $gt: 1 }] } }, '/x/$not'],
    ['$not names an unknown operator inside', { x: { $not: { $foo: 1 } } }, '/x/$not/$foo'],
    ['$or stands beside fields, not under one', { x: { $or: [{ $gt: 1 }] } }, '/x/$or'],
    ['$and stands beside fields, not under one', { x: { $and: [{ $gt: 1 }] } }, '/x/$and'],
    ['$text stands beside fields, not under one', { x: { $text: { $search: 'a' } } }, '/x/$text'],
    ['$not does not take $or', { x: { $not: { $or: [] } } }, '/x/$not/$or'],
    ['operators and fields do not mix', { x: { $gt: 1, y: 2 } }, '/x/y'],
    ['fields and operators do not mix', { x: { y: 2, $gt: 1 } }, '/x/y'],
    ['wrappers and operators do not mix', { x: { $gt: 1, $date: 0 } }, '/x/$date'],
    ['$expr is not known', { $expr: { $eq: ['$x', 1] } }, '/$expr'],
    ['$where is not known', { $where: 'true' }, '/$where'],
    ['$comment is not known', { $comment: 'x' }, '/$comment'],
    ['$jsonSchema is not known', { $jsonSchema: {} }, '/$jsonSchema'],
    ['$where is not known under a field', { x: { $where: 'true' } }, '/x/$where'],
    ['$bitsAllSet is not known', { x: { $bitsAllSet: 1 } }, '/x/$bitsAllSet'],
    ['operators are written with small letters', { x: { $GT: 1 } }, '/x/$GT'],
    ['a lone $ is no operator', { x: { $: 1 } }, '/x/$'],
    ['names of object methods are no operators', { x: { $constructor: 1 } }, '/x/$constructor'],
    ['filter[*] must be an object', new Parameters([null, 5]), ''],
    ['filter[*] must not be an array', new Parameters([null, [{ x: 1 }]]), ''],
    ['filter[FIELD] names the operator inside it', new Parameters(['x', { $foo: 1 }]), '/$foo'],
  ],
);

export const LOGIC_CASES: readonly FilterCase[] = [...trees, ...not, ...faults];
