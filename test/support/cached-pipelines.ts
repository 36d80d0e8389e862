/** Pipelines whose groups are kept, and such as tell the same by a pass over all documents. */
export const SHOWN = { kind: 1, value: 1, n: 1, by: { $ifNull: ['$$creator.id', 'nobody'] } };
export const pipelineOf = (shown: object, gathered: object) => [
  { filter: { value: { $gt: -5 } } },
  { project: shown },
  {
    group: {
      id: { $concat: ['$kind', ' by ', { $toString: '$by' }] },
      n: { $sum: 1 },
      sum: { $sum: '$value' },
      least: { $min: '$n' },
      ...gathered,
    },
  },
];
/** `$rand` makes a pipeline one of which nothing is kept; what it adds here is nothing. */
export const NEVER_CACHED = { ...SHOWN, zero: { $multiply: [{ $rand: {} }, 0] } };
export const ALL = { all: { $push: '$n' } };

/** Groups that are not kept: each read is a pass, over columns or over whole documents. */
export const PASSES = {
  columns: [{ group: { id: '$kind', deviation: { $stdDevPop: '$value' }, ...ALL } }],
  whole: [
    { project: { kind: 1, value: 1, n: 1, is: { $type: '$$ROOT' } } },
    { group: { id: '$kind', deviation: { $stdDevPop: '$value' }, ...ALL } },
  ],
};
