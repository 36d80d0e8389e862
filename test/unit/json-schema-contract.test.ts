/**
 * What this project relies on in @cfworker/json-schema beyond what its documentation promises. The version is pinned;
 * another one may come in when this file, the official suite and the cases of schemas pass.
 */
import { readFileSync } from 'node:fs';
import { format, validate } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import '../../src/schema/validation/library.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import type { Plain } from '../../src/schema/plain.ts';

/** The keywords and places of what the library finds. */
function found(
  instance: unknown,
  schema: Record<string, unknown>,
  lookup: Record<string, boolean> = {},
  evaluated?: Record<string, boolean>,
): string[] {
  const { errors } = validate(instance, schema, '2020-12', lookup, false, null, '#', '#', evaluated);
  return errors.map(({ keyword, keywordLocation }) => `${keyword} ${keywordLocation}`);
}

describe('@cfworker/json-schema', () => {
  it('is the pinned version', () => {
    const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(manifest).toMatchObject({ devDependencies: { '@cfworker/json-schema': '4.1.6' } });
  });

  it('asks the map of formats that it exports, with the text, and only for texts', () => {
    const asked: string[] = [];
    format['#contract'] = (text) => asked.push(text) > 0;
    expect(found({ a: 'x', b: 5 }, { additionalProperties: { format: '#contract' } })).toEqual([]);
    delete format['#contract'];
    expect(asked).toEqual(['x']);
  });

  it('takes a verdict for what a $ref means, and looks it up once', () => {
    let count = 0;
    const lookup = Object.defineProperty({ no: false }, 'yes', { get: () => (count += 1) > 0 });
    expect(found(1, { anyOf: [{ $ref: 'no' }, { $ref: 'yes' }] }, lookup)).toEqual([]);
    expect(count).toBe(1);
    expect(found(1, { allOf: [{ $ref: 'no' }] }, lookup)).toContain('allOf #/allOf');
  });

  it('asks for then, else and dependent schemas only where they apply', () => {
    const asked: string[] = [];
    const names = ['then', 'else', 'a', 'b'];
    const lookup = names.reduce(
      (all, name) => Object.defineProperty(all, name, { get: () => asked.push(name) > 0 }),
      {},
    );
    const dependentSchemas = { a: { $ref: 'a' }, b: { $ref: 'b' } };
    found({ b: 1 }, { if: false, then: { $ref: 'then' }, else: { $ref: 'else' }, dependentSchemas }, lookup);
    expect(asked).toEqual(['else', 'b']);
  });

  it.each([
    ['x', { minLength: 2 }, 'minLength #/minLength'],
    [{}, { required: ['a'] }, 'required #/required'],
    [{ a: 1 }, { dependentRequired: { a: ['b'] } }, 'dependentRequired #/dependantRequired'],
    [[], { contains: true }, 'contains #/contains'],
    [[1, 1], { uniqueItems: true }, 'uniqueItems #/uniqueItems'],
    [1, { not: true }, 'not #/not'],
  ])('tells a violation of the value %j with two steps in its place', (instance, schema, unit) => {
    expect(found(instance, schema)).toEqual([unit]);
  });

  it('names the missing member last in its sentence', () => {
    const [required] = validate({}, { required: ['a"b'] }).errors;
    const [dependent] = validate({ a: 1 }, { dependentRequired: { a: ['b'] } }).errors;
    expect(required?.error).toMatch(/ required property "a"b"\.$/);
    expect(dependent?.error).toMatch(/ does not have "b"\.$/);
  });

  it('says how many schemas of oneOf hold', () => {
    expect(validate(1, { oneOf: [{}, {}] }, '7', {}, false).errors[0]?.error).toContain('(2 matches)');
  });

  it('leaves out of unevaluated keywords what is marked', () => {
    expect(found({ a: 1, b: 1 }, { unevaluatedProperties: false }, {}, { a: true })).toHaveLength(2);
    expect(found([1, 1], { unevaluatedItems: false }, {}, { 0: true, 1: true })).toEqual([]);
  });

  it('goes on after a child that is wrong, unless it is told to stop', () => {
    const schema = { properties: { a: false, b: false } };
    const units = (brief: boolean): number =>
      validate({ a: 1, b: 1 }, schema, '7', {}, brief).errors.filter(({ keyword }) => keyword === 'false')
        .length;
    expect([units(false), units(true)]).toEqual([2, 1]);
  });

  it('cannot show half a surrogate pair in a name, which is why such names are shown otherwise', () => {
    expect(() => validate({ '\ud800': 1 }, { additionalProperties: true })).toThrow(URIError);
    const schema = compileSchema({ additionalProperties: { type: 'string' }, required: ['\udc00'] });
    const violations = schema.validateValue({ '\ud800': 1 });
    expect(violations.map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual([
      '/data/\ud800 type',
      '/data required',
    ]);
  });

  it('is given no more formats by schemas', () => {
    const before = Object.keys(format);
    const properties = Object.fromEntries(before.map((name) => [name, { format: name, pattern: '^x' }]));
    const schema = compileSchema({
      properties,
      patternProperties: { x: { pattern: 'y', format: 'toString' } },
    });
    schema.validateValue(Object.fromEntries(before.map((name) => [name, 'x'])));
    expect(Object.keys(format)).toEqual(before);
  });
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
