/** Short texts that are written without the platform's serializers: each is what those would write. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { fewToBase64Url, toBase64Url } from '../../src/domain/values/base64.ts';
import { quoted } from '../../src/domain/values/quoted.ts';
import { textOfLine } from '../../src/http/log.ts';

const text = fc.string({ unit: 'binary' });
/** What needs no escape in JSON: an id, a method. */
const word = fc.stringMatching(/^[\w=-]{1,40}$/);
const maybe = fc.option(word, { nil: undefined });

describe('a text as a JSON string', () => {
  test('is what JSON.stringify writes', () => {
    fc.assert(fc.property(text, (each) => quoted(each) === JSON.stringify(each)));
  });

  test.each(['', 'é', '"', '\\', '\n', '\u0000', '\u001f', '\u007f', '\u2028', '\ud800', '\udfff', '😀'])(
    'is so for %j',
    (each) => {
      expect(quoted(each)).toBe(JSON.stringify(each));
    },
  );
});

test('a few bytes in base64 for URLs are what the platform writes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(fewToBase64Url([...bytes])).toBe(toBase64Url(bytes));
    }),
  );
});

test('a line of the log is what JSON.stringify writes of its members', () => {
  const line = fc.record({
    requestId: word,
    method: word,
    path: fc.option(text),
    status: fc.integer({ min: 100, max: 599 }),
    milliseconds: fc.maxSafeNat(),
    application: maybe,
    key: maybe,
    user: maybe,
    more: fc.option(
      fc.record({ keyName: text, bytes: fc.maxSafeNat(), address: text }, { requiredKeys: [] }),
      { nil: undefined },
    ),
  });
  fc.assert(
    fc.property(line, ({ more, ...members }) => {
      expect(textOfLine({ ...members, more })).toBe(JSON.stringify({ ...members, ...more }));
    }),
  );
});
