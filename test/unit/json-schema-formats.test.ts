/** Formats and depth of schemas, and what the library behind them must be kept from. */
import { format } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import '../../src/schema/validation/library.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import type { Plain } from '../../src/schema/plain.ts';

it('half a surrogate pair in a name is told, which the library cannot show', () => {
  const schema = compileSchema({ additionalProperties: { type: 'string' }, required: ['\udc00'] });
  const violations = schema.validateValue({ '\ud800': 1 });
  expect(violations.map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual([
    '/data/\ud800 type',
    '/data required',
  ]);
});

it('no schema gives the library more formats', () => {
  const before = Object.keys(format);
  const properties = Object.fromEntries(before.map((name) => [name, { format: name, pattern: '^x' }]));
  const schema = compileSchema({
    properties,
    patternProperties: { x: { pattern: 'y', format: 'toString' } },
  });
  schema.validateValue(Object.fromEntries(before.map((name) => [name, 'x'])));
  expect(Object.keys(format)).toEqual(before);
});

describe('formats', () => {
  const isOf = (name: string, text: string): boolean =>
    compileSchema({ format: name }).validateValue(text).length === 0;

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', '#child:items', '#pattern:0', 'url'])(
    '%s means nothing',
    (name) => {
      expect(isOf(name, 'x')).toBe(true);
    },
  );

  it.each([
    ['uri', 'http://example.com:abc/path'],
    ['uri', 'http://[::ffff:01.2.3.4]'],
    ['uri', 'http:/[::1]'],
    ['uri-reference', '/a"b'],
    ['uri-reference', '/[::1]'],
    ['uri-reference', '//example.com:abc/p'],
    ['uri-reference', '//a@b@example.com/'],
    ['uri-reference', '//[::ffff:192.168.0.01]/p'],
    ['uri-reference', '1:b'],
  ])('hold by the RFC: %s is not %s', (name, text) => {
    expect(isOf(name, text)).toBe(false);
  });

  it.each([
    ['uri', 'http://a:b@[::1]:80/c;d=%20?e#f'],
    ['uri', 'x:a:b'],
    ['uri', 'http://[v1.a:b]/'],
    ['uri-reference', '//example.com:/p'],
    ['uri-reference', './1:b'],
    ['uri-reference', ''],
  ])('hold by the RFC: %s is %s', (name, text) => {
    expect(isOf(name, text)).toBe(true);
  });

  it('are of texts that are not too long', () => {
    const address = (length: number): string => `http://x/${'a'.repeat(length)}`;
    expect(isOf('uri', address(4_000))).toBe(true);
    expect(isOf('uri', address(5_000))).toBe(false);
  });

  it('take a regular expression for one if patterns do', () => {
    expect([isOf('regex', '^a+$'), isOf('regex', '('), isOf('regex', '(a)\\1')]).toEqual([true, false, true]);
  });
});

describe('depth', () => {
  it('is as deep as documents may be, through two references a level', () => {
    const content = {
      definitions: {
        a: { $ref: '#/definitions/b' },
        b: { anyOf: [{ $ref: '#/definitions/c' }] },
        c: { allOf: [{ type: ['array', 'string'], items: { $ref: '#/definitions/a' } }] },
      },
      $ref: '#/definitions/a',
    };
    const nested = (core: Plain): Plain => Array.from({ length: 64 }).reduce<Plain>((inner) => [inner], core);
    const schema = compileSchema(content);
    expect(schema.validateValue(nested('x'))).toEqual([]);
    expect(schema.validateValue(nested(5)).map(({ keyword }) => keyword)).toEqual(['anyOf']);
  });
});
