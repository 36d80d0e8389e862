/** No date, zone, unit or amount makes a date operator throw or answer NaN; local times are those of the runtime. */
import fc from '../support/fast-check.ts';
import { expect, it } from 'vitest';
import { Long, type Value } from '../../src/domain/values/values.ts';
import { runDefinition, shown } from '../support/pipeline-run.ts';
import { scaled } from '../support/long.ts';

const LARGEST = 8.64e15;
const ZONES = [
  'UTC',
  'Europe/Paris',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/New_York',
  'Australia/Lord_Howe',
  '+14:00',
  '-12:00',
  '+99:99',
];
const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'];

const instant = fc.oneof(
  fc.integer({ min: -LARGEST, max: LARGEST }),
  fc.integer({ min: 0, max: 3 * 366 * 86_400_000 }).map((inside) => LARGEST - inside),
  fc.integer({ min: 0, max: 3 * 366 * 86_400_000 }).map((inside) => inside - LARGEST),
  fc.constantFrom(LARGEST, -LARGEST, 0, -1),
);
const when = instant.map((milliseconds) => new Date(milliseconds));
const timezone = fc.constantFrom(...ZONES);
const unit = fc.constantFrom(...UNITS);
const number = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.maxSafeInteger(),
  fc.double(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => new Long(value)),
);
const format = fc.constantFrom(...Array.from('YmbBdjHMSLwuUVGzZ')).map((specifier) => `%${specifier}`);
const read = fc.constantFrom(
  '$year',
  '$week',
  '$isoWeek',
  '$isoWeekYear',
  '$dayOfYear',
  '$dayOfWeek',
  '$hour',
);

const expression: fc.Arbitrary<Value> = fc.oneof(
  fc.tuple(read, when, timezone).map(([name, date, zone]): Value => ({ [name]: { date, timezone: zone } })),
  fc.record({ date: when, timezone, format }).map((it): Value => ({ $dateToString: it })),
  fc.record({ date: when, timezone, iso8601: fc.boolean() }).map((it): Value => ({ $dateToParts: it })),
  fc.record({ startDate: when, endDate: when, unit, timezone }).map((it): Value => ({ $dateDiff: it })),
  fc
    .record({ date: when, unit, timezone, binSize: fc.integer({ min: 1, max: 1e9 }) })
    .map((it): Value => ({ $dateTrunc: it })),
  fc.record({ startDate: when, unit, timezone, amount: number }).map((it): Value => ({ $dateAdd: it })),
  fc.record({ startDate: when, unit, timezone, amount: number }).map((it): Value => ({ $dateSubtract: it })),
  fc.tuple(when, number).map(([date, by]): Value => ({ $add: [date, by] })),
  fc.tuple(when, number).map(([date, by]): Value => ({ $subtract: [date, by] })),
  fc
    .record({ year: fc.constantFrom(1, 9999), month: number, day: number, second: number, timezone })
    .map((it): Value => ({ $dateFromParts: it })),
);

function definition(value: Value) {
  return { inputType: 'thing', pipeline: [{ project: { value } }] };
}

it('a date expression has a value or a fault', () => {
  fc.assert(
    fc.property(expression, (value) => {
      const written = runDefinition(definition(value), [{ id: 'x' }]);
      const texts = 'documents' in written ? written.documents.map(shown) : [];
      expect(texts.join()).not.toMatch(/NaN|null|Invalid/);
    }),
    { numRuns: scaled(3000) },
  );
});

it('a clock shows what the runtime says it shows', () => {
  const zone = fc.constantFrom(...ZONES.filter((name) => name.includes('/')));
  const moment = fc.integer({ min: Date.UTC(1840, 0), max: Date.UTC(2040, 0) });
  fc.assert(
    fc.property(moment, zone, (milliseconds, timeZone) => {
      const shown = runDefinition(
        definition({
          $dateToString: { date: new Date(milliseconds), timezone: timeZone, format: '%Y-%m-%d %H:%M:%S' },
        }),
        [{ id: 'x' }],
      );
      const expected = new Intl.DateTimeFormat('sv-SE', {
        timeZone,
        dateStyle: 'short',
        timeStyle: 'medium',
      });
      expect(shown).toMatchObject({ documents: [{ attributes: { value: expected.format(milliseconds) } }] });
    }),
    { numRuns: scaled(2000) },
  );
});
