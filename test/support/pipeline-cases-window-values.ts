/** Cases of `setWindowFields` over values of all kinds: sums, bounds, dates. */
import { cases, date, decimal, long, raw, type PipelineCase } from './pipeline-case.ts';
import { inOrder, numbered, of, windowed } from './pipeline-window-case.ts';

const MIXED = of(long('9007199254740993'), decimal('0.10'), 1.5, 'text', null, undefined, 2);

const kinds = [
  ...cases('windows over all kinds', MIXED, [
    windowed(
      'the first of a window; missing is null',
      inOrder,
      { $first: '$x', window: { documents: [1, 2] } },
      numbered(raw('0.10'), 1.5, 'text', null, null, 2, null),
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
