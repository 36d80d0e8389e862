/** Cases of `setWindowFields` that are refused when written, or fail when read. */
import { cases, date, fails, refused, type PipelineCase, type Row, type Sent } from './pipeline-case.ts';

const ROWS = [
  { n: 0, x: 1, at: date('2020-01-01') },
  { n: 1, x: 'text', at: date('2020-01-02') },
  { n: 1, x: [1], at: null },
];

/** What stands in the stage beside `sortBy: 'n'`, and where it is refused. */
function wrong(behaviour: string, given: Readonly<Record<string, Sent>>, place: string): Row {
  return [
    behaviour,
    [{ setWindowFields: { sortBy: 'n', ...given } }],
    refused(`/pipeline/0/setWindowFields${place}`),
  ];
}

/** The same for its field `v`. */
function wrongField(behaviour: string, v: Sent, place: string, stage = {}): Row {
  return wrong(behaviour, { output: { v }, ...stage }, `/output/v${place}`);
}

const sum = (window: Sent) => ({ $sum: '$x', window });
const unsorted = { sortBy: 'x,n' };

const faults = cases('setWindowFields', ROWS, [
  ['takes an object', [{ setWindowFields: [] }], refused('/pipeline/0/setWindowFields')],
  ['needs output', [{ setWindowFields: { sortBy: 'n' } }], refused('/pipeline/0/setWindowFields')],
  wrong('knows nothing else', { output: {}, window: {} }, '/window'),
  wrong('output is an object', { output: [] }, '/output'),
  wrong('an order that is none', { sortBy: { n: 2 }, output: {} }, '/sortBy/n'),
  wrong('a name that no field has', { output: { $v: { $sum: 1 } } }, '/output/$v'),
  wrong('two fields, one in the other', { output: { 'a.b': { $sum: 1 }, a: { $sum: 1 } } }, '/output/a'),
  wrong('a fault in partitionBy', { partitionBy: { $nothing: 1 }, output: {} }, '/partitionBy/$nothing'),
  wrongField('no function', { window: {} }, ''),
  wrongField('two functions', { $sum: 1, $avg: 1 }, ''),
  wrongField('an unknown function', { $summ: 1 }, '/$summ'),
  wrongField('a fault in an argument', { $sum: '$$none' }, '/$sum'),
  wrongField('a window that is no object', sum([0, 1]), '/window'),
  wrongField('a window of both kinds', sum({ documents: [0, 1], range: [0, 1] }), '/window'),
  wrongField('a window of another kind', sum({ rows: [0, 1] }), '/window/rows'),
  wrongField('one bound', sum({ documents: [0] }), '/window/documents'),
  wrongField('a bound that is no integer', sum({ documents: [0, 1.5] }), '/window/documents'),
  wrongField('a bound that is a word', sum({ documents: ['first', 0] }), '/window/documents'),
  wrongField('a bound that depends on documents', sum({ documents: ['$n', 0] }), '/window/documents'),
  wrongField('bounds that are turned round', sum({ documents: [1, 'current'] }), '/window/documents'),
  wrongField('a range that is turned round', sum({ range: [0, -0.5] }), '/window/range'),
  wrongField('a range of texts', sum({ range: ['a', 'b'] }), '/window/range'),
  wrongField('a unit without a range', sum({ documents: [0, 1], unit: 'day' }), '/window/unit'),
  wrongField('a unit that there is not', sum({ range: [0, 1], unit: 'age' }), '/window/unit'),
  wrongField('half a unit', sum({ range: [0, 0.5], unit: 'day' }), '/window/range'),
  wrongField('a range over two fields', sum({ range: [0, 1] }), '/window/range', unsorted),
  wrongField('a range backward', sum({ range: [0, 1] }), '/window/range', { sortBy: '-n' }),
  wrongField('a rank with an argument', { $rank: '$n' }, '/$rank'),
  wrongField('a rank with a window', { $rank: {}, window: { documents: [0, 1] } }, '/window'),
  wrongField('a shift without by', { $shift: { output: '$n' } }, '/$shift'),
  wrongField('a shift by a field', { $shift: { output: '$n', by: '$n' } }, '/$shift/by'),
  wrongField(
    'a shift with a default by document',
    { $shift: { output: 1, by: 1, default: '$n' } },
    '/$shift/default',
  ),
  wrongField('a shift with a window', { $shift: { output: 1, by: 1 }, window: {} }, '/window'),
  wrongField('an average without a weight', { $expMovingAvg: { input: '$n' } }, '/$expMovingAvg'),
  wrongField(
    'an average with two weights',
    { $expMovingAvg: { input: 1, N: 1, alpha: 0.5 } },
    '/$expMovingAvg',
  ),
  wrongField('an average of none', { $expMovingAvg: { input: 1, N: 0 } }, '/$expMovingAvg/N'),
  wrongField('an average of all', { $expMovingAvg: { input: 1, alpha: 1 } }, '/$expMovingAvg/alpha'),
  wrongField('a derivative without a window', { $derivative: { input: 1 } }, '/$derivative'),
  wrongField(
    'a derivative by month',
    { $derivative: { input: 1, unit: 'month' }, window: {} },
    '/$derivative/unit',
  ),
  wrongField('an integral over two fields', { $integral: { input: 1 } }, '/$integral', unsorted),
  wrongField('a filling over two fields', { $linearFill: '$x' }, '/$linearFill', unsorted),
  wrongField('a filling with a window', { $linearFill: '$x', window: {} }, '/window'),
  wrongField('a count of something', { $count: 1 }, '/$count'),
  wrongField('a median without a method', { $median: { input: '$x' } }, '/$median'),
  [
    'a window needs an order',
    [{ setWindowFields: { output: { v: sum({ documents: [0, 1] }) } } }],
    refused('/pipeline/0/setWindowFields/output/v/window/documents'),
  ],
  [
    'a rank needs an order',
    [{ setWindowFields: { output: { v: { $denseRank: {} } } } }],
    refused('/pipeline/0/setWindowFields/output/v/$denseRank'),
  ],
]);

/** What only the documents show. */
function failing(behaviour: string, given: Readonly<Record<string, Sent>>): Row {
  return [behaviour, [{ skip: 0 }, { setWindowFields: given }], fails(1)];
}

const failures = cases('setWindowFields', ROWS, [
  failing('nothing is parted by arrays', { partitionBy: '$x', output: {} }),
  failing('a range is over numbers', { sortBy: 'x', output: { v: sum({ range: [0, 1] }) } }),
  failing('a range over dates has a unit', { sortBy: 'at', output: { v: sum({ range: [0, 1] }) } }),
  failing('a range with a unit is over dates', {
    sortBy: 'n',
    output: { v: sum({ range: [0, 1], unit: 'day' }) },
  }),
  failing('filling is for numbers', { sortBy: 'at', output: { v: { $linearFill: '$x' } } }),
  failing('filling needs different values', { sortBy: 'n', output: { v: { $linearFill: '$n' } } }),
  failing('derivatives are of numbers', {
    sortBy: 'n',
    output: { v: { $derivative: { input: '$x' }, window: {} } },
  }),
  failing('derivatives by time have a unit', {
    sortBy: 'at',
    output: { v: { $derivative: { input: '$n' }, window: {} } },
  }),
  failing('integrals are of numbers', { sortBy: 'n', output: { v: { $integral: { input: '$x' } } } }),
  failing('integrals by time have a unit', { sortBy: 'at', output: { v: { $integral: { input: '$n' } } } }),
]);

export const WINDOW_FAULT_CASES: readonly PipelineCase[] = [...faults, ...failures];
