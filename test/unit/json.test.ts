/** Reading JSON without losing a digit or the kind of a number (spec, Value types, rule 2). */
import { describe, expect, test } from 'vitest';
import { pointerOf } from '../../src/domain/pointer.ts';
import { parseJson, Unrepresentable } from '../../src/domain/values/json.ts';
import { Double, kindOf, Long, type Value } from '../../src/domain/values/values.ts';
import { memberOf } from '../../src/domain/values/tree.ts';

function read(text: string): unknown {
  const parsed = parseJson(text, 64);
  return parsed.ok ? parsed.value : parsed.reason;
}

describe('a number has the kind that its text says', () => {
  test.each([
    ['0', 0, 'int'],
    ['-0', 0, 'int'],
    ['2147483647', 2147483647, 'int'],
    ['-2147483648', -2147483648, 'int'],
    ['2147483648', 2147483648, 'long'],
    ['9007199254740991', 9007199254740991, 'long'],
    ['9007199254740992', new Long(9007199254740992n), 'long'],
    ['-9223372036854775808', new Long(-9223372036854775808n), 'long'],
    ['0.5', 0.5, 'double'],
    ['1.0', new Double(1), 'double'],
    ['-0.0', new Double(-0), 'double'],
    ['1e2', new Double(100), 'double'],
    ['1E+2', new Double(100), 'double'],
    ['10e-1', new Double(1), 'double'],
    ['1.00000000000000000000', new Double(1), 'double'],
    ['123456789012345678.5', new Double(123456789012345680), 'double'],
  ] as const)('%s', (text, value, kind) => {
    // Alone and among others: a quick test of the whole text decides how it is read.
    for (const whole of [text, ` ${text} `]) expect(read(whole)).toEqual(value);
    expect(read(`[${text}]`)).toEqual([value]);
    expect(read(`{"a":${text} ,"b":[${text}\n]}`)).toEqual({ a: value, b: [value] });
    expect(kindOf(read(text) as Value)).toBe(kind);
  });

  test.each(['9223372036854775808', '-9223372036854775809', '1e309', '-1.5e400'])(
    '%s fits no kind',
    (text) => {
      expect(read(text)).toEqual(new Unrepresentable(text));
    },
  );
});

test('digits inside strings are left alone', () => {
  const sent = { '12345678901234567890': '12345678901234567890', b: '1.0', c: '1e5' };
  expect(read(JSON.stringify(sent))).toEqual(sent);
});

describe('depth', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  test.each([0, 1, 2, 64])('%i levels are read where so many are allowed', (levels) => {
    const text = levels === 0 ? '1' : nested(levels);
    expect(parseJson(text, levels).ok).toBe(true);
  });

  test.each([1, 2, 65])('%i levels are refused where one less is allowed', (levels) => {
    expect(parseJson(nested(levels), levels - 1)).toMatchObject({ ok: false, reason: 'depth' });
  });
});

test.each(['', ' ', '{', '[1,]', "{'a':1}", '01', '1.', '.5', '+1', 'NaN', 'undefined', '1 2'])(
  '"%s" is no JSON',
  (text) => {
    expect(read(text)).toBe('syntax');
  },
);

test('a member is an own member: never one that every object inherits', () => {
  const parsed = read('{"a":1,"__proto__":{"b":2}}') as Record<string, unknown>;
  expect(memberOf(parsed, 'a')).toBe(1);
  expect(memberOf(parsed, 'b')).toBeUndefined();
  expect(memberOf(parsed, 'constructor')).toBeUndefined();
  expect(memberOf(parsed, '__proto__')).toEqual({ b: 2 });
});

describe('a name', () => {
  test.each([
    ['{"a":1,"a":2}', '/a'],
    ['{"a" :1,\n"a"\t: 1}', '/a'],
    ['{"a":{"b":[{"c":1},{"c":1,"d":{},"c":2}]}}', '/a/b/1/c'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"a":1,"text":"\\"a\\":1","a":2}', '/a'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"n":1.0,"n":1.0}', '/n'],
  ])('given twice is refused: %s', (text, pointer) => {
    const parsed = parseJson(text, 64);
    expect(parsed).toMatchObject({ ok: false, reason: 'twice' });
    expect(parsed.ok ? null : pointerOf(parsed.place ?? null)).toBe(pointer);
  });

  test('is looked for beside a text of any length', () => {
    expect(parseJson(`{"a":" :${'x'.repeat(2 ** 24)}"}`, 64).ok).toBe(true);
  });

  test.each([
    '{"a":{"a":{"a":1}},"A":1}',
    '[{"a":1},{"a":1}]',
    '{"text":"\\"a\\":1, \\"a\\" : 2","a":1}',
    '{"":1," ":2}',
  ])('in several objects, or in a text, is fine: %s', (text) => {
    expect(parseJson(text, 64)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
  });
});
