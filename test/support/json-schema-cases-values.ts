/** Schema cases about single values: types, numbers, strings, equality, formats. */
import { decimal, list, long, raw, values, type SchemaCase } from './json-schema-case.ts';

const types: readonly SchemaCase[] = [
  ...values('type', 7, { type: 'integer' }, [
    ['an integer in exponent form', raw('1e3')],
    ['an integer beyond 2^53', raw('9007199254740993')],
    ['a long', long('-9223372036854775808')],
    ['a decimal without a fraction', decimal('12.00')],
    ['a number with a fraction', 1.5, 'type'],
    ['a decimal with a fraction', decimal('12.01'), 'type'],
    ['a decimal whose fraction a double would lose', decimal('9007199254740993.5'), 'type'],
  ]),
  ...values(
    'type',
    7,
    { type: 'number' },
    list(['a decimal is a number', decimal('0.1')], ['true is no number', true, 'type']),
  ),
  ...values('type', 7, { type: 'string' }, [
    ['a date is an ISO string', { $date: '2020-01-01' }],
    ['an object id is a string', { $oid: '5ab9c3da31c2ab715d421285' }],
  ]),
  ...values('type', 2020, { type: ['integer', 'null', 'object'] }, [['none of several types', 'x', 'type']]),
];

const numbers: readonly SchemaCase[] = [
  ...values('minimum', 7, { minimum: 1.1 }, [
    ['at the minimum as a decimal', decimal('1.10')],
    ['just below the minimum as a decimal', decimal('1.0999999999999999999999'), 'minimum'],
  ]),
  ...values('maximum', 2020, { maximum: raw('9007199254740992') }, [
    ['at a bound of 2^53', raw('9007199254740992')],
    ['one above 2^53, which a double would round away', raw('9007199254740993'), 'maximum'],
  ]),
  ...values('maximum', 7, { maximum: 300.0 }, [
    ['at the maximum', raw('300.0')],
    ['far above the maximum', raw('1e308'), 'maximum'],
  ]),
  ...values('exclusiveMinimum', 7, { exclusiveMinimum: 1.1 }, [
    ['at the bound', 1.1, 'exclusiveMinimum'],
    ['at the bound as a decimal', decimal('1.1'), 'exclusiveMinimum'],
    ['just above as a decimal', decimal('1.1000000000000000000001')],
  ]),
  ...values(
    'exclusiveMaximum',
    2019,
    { exclusiveMaximum: 3 },
    list(['below', 2.2], ['at the bound', 3, 'exclusiveMaximum']),
  ),
  ...values('exclusiveMinimum', 4, { minimum: 1, exclusiveMinimum: true }, [
    ['at the bound, as a flag', 1, 'minimum'],
  ]),
  ...values('exclusiveMaximum', 4, { maximum: 3, exclusiveMaximum: true }, [
    ['at the bound, as a flag', 3, 'maximum'],
  ]),
  ...values('exclusiveMaximum', 4, { maximum: 3, exclusiveMaximum: false }, [
    ['above, with a flag that is false', 4, 'maximum'],
  ]),
  ...values('multipleOf', 7, { multipleOf: 2 }, [
    ['an odd long beyond 2^53', long('9223372036854775807'), 'multipleOf'],
    ['an even long beyond 2^53', long('9223372036854775806')],
  ]),
  ...values('multipleOf', 7, { multipleOf: 0.01 }, [
    ['4.355', 4.355, 'multipleOf'],
    ['a decimal of two digits', decimal('1234567890123456789012345678.99')],
    ['a decimal of three digits', decimal('1234567890123456789012345678.991'), 'multipleOf'],
  ]),
  ...values('multipleOf', 2020, { type: 'number', multipleOf: 0.123456789 }, [
    ['the largest powers have no quotient', raw('1e308'), 'multipleOf'],
  ]),
  ...values('multipleOf', 2020, { type: 'integer', multipleOf: raw('1e-8') }, [
    ['so is 1e308', raw('1e308')],
  ]),
];

const strings: readonly SchemaCase[] = [
  ...values('minLength', 7, { minLength: 2 }, [
    ['long enough', 'ab'],
    ['too short', 'a', 'minLength'],
    ['two such characters', '💩💩'],
    ['a combining mark is a character', 'e\u0301'],
  ]),
  ...values('maxLength', 7, { maxLength: raw('2.0') }, [
    ['short enough', 'ab'],
    ['too long', 'abc', 'maxLength'],
  ]),
  ...values('pattern', 7, { pattern: '^a*$' }, list(['does not match', 'aab', 'pattern'])),
  ...values('pattern', 7, { pattern: 'a+' }, [['is found nowhere', 'xxyy', 'pattern']]),
  ...values('pattern', 2020, { pattern: '^\\p{Letter}+\\d{2}$' }, [
    ['letters of any script', 'Größe07'],
    ['digits are ASCII', 'Größe\u0967\u0967', 'pattern'],
  ]),
  ...values('pattern', 7, { pattern: '^.$' }, [
    ['the dot takes a character of two units', '🐲'],
    ['the dot takes no line end', '\u2028', 'pattern'],
  ]),
  ...values('pattern', 7, { pattern: '^\\S(|(.|\\n)*\\S)$' }, [
    ['a blank at the end', 'a b ', 'pattern'],
    ['a no-break space is a blank', '\u00a0a', 'pattern'],
  ]),
  ...values('pattern', 7, { pattern: '^(?=.*[0-9])(?!.*secret).{4,}$' }, [
    ['a condition is missed', 'pass', 'pattern'],
  ]),
  ...values('pattern', 7, { pattern: '^[\\w-]+@\\u0061\\x62\\.(?:com|org)$' }, [
    ['escapes of characters', 'x-y@ab.org'],
    ['letters of \\w are ASCII', 'é@ab.org', 'pattern'],
  ]),
];

const equality: readonly SchemaCase[] = [
  ...values('enum', 7, { enum: [6, 'foo', [], true, { foo: 12, bar: [1, { a: null }] }] }, [
    ['a number of the list', 6],
    ['the same number as a decimal', decimal('6.0')],
    ['an object in other member order', { bar: [1, { a: null }], foo: raw('12.0') }],
    ['an object of another inside', { foo: 12, bar: [1, { a: false }] }, 'enum'],
  ]),
  ...values('enum', 4, { enum: [[0], 'a\u0000b'] }, [
    ['an array in an array', [0]],
    ['[false] is not [0]', [false], 'enum'],
    ['a string with a NUL', 'a\u0000b'],
  ]),
  ...values('const', 2020, { const: { foo: 'bar', baz: ['x'] } }, [
    ['another object', { baz: ['x'], foo: 'baz' }, 'const'],
  ]),
  ...values('const', 7, { const: raw('9007199254740993') }, [
    ['the same long', long('9007199254740993')],
    ['its neighbour, which is the same double', raw('9007199254740992'), 'const'],
  ]),
];

const formats: readonly SchemaCase[] = [
  ...values('format', 7, { format: 'date-time' }, [
    ['a date that was sent as one', { $date: '2020-02-29T00:00:00Z' }],
  ]),
  ...values('format', 7, { format: 'hostname' }, [
    ['hyphens that are no Punycode', 'r3---sn-5hne6nzs.example.com'],
  ]),
  ...values('format', 2019, { format: 'idn-hostname' }, [
    [
      '4,096 characters, all different',
      String.fromCodePoint(...Array.from({ length: 4096 }, (_, n) => 19968 + n)),
      'format',
    ],
  ]),
  ...values('format', 7, { format: 'iri' }, [
    ['letters of any language, and private ones in the query', 'http://ƒøø.ßår/?∂=\ue000'],
    ['private ones in the path', 'http://example.com/\ue000', 'format'],
  ]),
  ...values('format', 7, { format: 'stardate' }, [['an unknown format means nothing', 'x']]),
];

export const VALUE_CASES: readonly SchemaCase[] = [...types, ...numbers, ...strings, ...equality, ...formats];
