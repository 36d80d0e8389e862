/** Cases of `setWindowFields` over values of all kinds: sums, bounds, dates. */
import { cases, date, decimal, long, raw, type PipelineCase } from './pipeline-case.ts';
import { inOrder, numbered, of, windowed } from './pipeline-window-case.ts';

const MIXED = of(long('9007199254740993'), decimal('0.10'), 1.5, 'text', null, undefined, 2);

const kinds = [
  ...cases('windows over all kinds', MIXED, [
    windowed(
      'sums have the widest kind in the window, and what has left leaves nothing',
      inOrder,
      { $sum: '$x', window: { documents: [-1, 0] } },
      numbered(raw('9007199254740993'), raw('9007199254740993.10'), raw('1.60'), 1.5, 0, 0, 2),
    ),
    windowed(
      'averages pass over what is no number',
      inOrder,
      { $avg: '$x', window: { documents: [-1, 1] } },
      numbered(
        raw('4503599627370496.55'),
        raw('3002399751580331.533333333333333333'),
        raw('0.80'),
        1.5,
        null,
        raw('2.0'),
        raw('2.0'),
      ),
    ),
    windowed(
      'the least, by the order of kinds, null passed over',
      inOrder,
      { $min: '$x', window: { documents: [-2, 0] } },
      numbered(raw('9007199254740993'), raw('0.10'), raw('0.10'), raw('0.10'), 1.5, 'text', 2),
    ),
    windowed(
      'the greatest',
      inOrder,
      { $max: '$x', window: { documents: ['current', 2] } },
      numbered(raw('9007199254740993'), 'text', 'text', 'text', 2, 2, 2),
    ),
    windowed(
      'the first of a window; missing is null',
      inOrder,
      { $first: '$x', window: { documents: [1, 2] } },
      numbered(raw('0.10'), 1.5, 'text', null, null, 2, null),
    ),
    windowed(
      'the last of a window',
      inOrder,
      { $last: '$x', window: { documents: [-3, -1] } },
      numbered(null, raw('9007199254740993'), raw('0.10'), 1.5, 'text', null, null),
    ),
    windowed(
      'lists leave out what is missing',
      inOrder,
      { $push: '$x', window: { documents: [-1, 0] } },
      numbered(
        [raw('9007199254740993')],
        [raw('9007199254740993'), raw('0.10')],
        [raw('0.10'), 1.5],
        [1.5, 'text'],
        ['text', null],
        [null],
        [2],
      ),
    ),
    windowed(
      'counts what lies beyond the ends as nothing',
      inOrder,
      { $count: {}, window: { documents: [2, 4] } },
      numbered(3, 3, 3, 2, 1, 0, 0),
    ),
    windowed(
      'empty windows have what nothing has',
      inOrder,
      { $stdDevSamp: '$x', window: { documents: [9, 9] } },
      numbered(null, null, null, null, null, null, null),
    ),
    windowed(
      'the last value is carried on',
      [null, null],
      { $locf: '$x' },
      numbered(raw('9007199254740993'), raw('0.10'), 1.5, 'text', 'text', 'text', 2),
    ),
    windowed(
      'a window that is empty is all of the partition',
      inOrder,
      { $addToSet: { $type: '$x' }, window: {} },
      numbered(...MIXED.map(() => ['long', 'decimal', 'double', 'string', 'null', 'missing', 'int'])),
    ),
  ]),
  ...cases('windows over doubles', of(1e300, 0.5, 0.25), [
    windowed(
      'what has left is forgotten, however large it was',
      inOrder,
      { $sum: '$x', window: { documents: [-1, 0] } },
      numbered(raw('1e+300'), raw('1e+300'), 0.75),
    ),
  ]),
  ...cases('windows over doubles', of(raw('1e16'), ...Array.from({ length: 46 }, () => 0.5), raw('-1e16')), [
    [
      'do not gather their errors',
      [
        { setWindowFields: { output: { v: { $sum: '$x' } } } },
        { limit: 1 },
        { output: { attributes: ['v'] } },
      ],
      [{ v: raw('23.0') }],
    ],
  ]),
  ...cases('windows by range', of(0.1, 0.2, raw('0.3'), decimal('0.4'), 1, 1, 2), [
    windowed(
      'take doubles as they are written, and the document itself',
      [null, 'x'],
      { $push: '$n', window: { range: [-0.1, 0] } },
      numbered([0], [0, 1], [1, 2], [2, 3], [4, 5], [4, 5], [6]),
    ),
    windowed(
      'begin or end at the document where it is current',
      [null, 'x'],
      { $count: {}, window: { range: ['current', 1] } },
      numbered(6, 5, 4, 3, 3, 2, 1),
    ),
  ]),
  ...cases(
    'windows by range',
    of(date('2021-01-30'), date('2021-01-31'), date('2021-02-28'), date('2021-03-30')),
    [
      windowed(
        'go by the calendar',
        [null, 'x'],
        { $push: '$n', window: { range: [0, 1], unit: 'month' } },
        numbered([0, 1, 2], [1, 2], [2], [3]),
      ),
    ],
  ),
];

export const WINDOW_VALUE_CASES: readonly PipelineCase[] = [...kinds];
