/**
 * Filters that mean harm, or that no one meant: each must be refused, or answered without delay, and never throw. Plain
 * data, as the filter cases are: the text of the parameters, and which of the two is to happen.
 */

export interface HostileFilter {
  readonly name: string;
  readonly parameters: readonly { readonly field: string | null; readonly text: string }[];
  /** `refused` is a 400 with code `invalid-filter`; `answered` is any answer; a hostile pattern may be either. */
  readonly outcome: 'refused' | 'answered' | 'either';
}

function whole(name: string, text: string, outcome: HostileFilter['outcome'] = 'refused'): HostileFilter {
  return { name, parameters: [{ field: null, text }], outcome };
}

function field(
  name: string,
  path: string,
  text: string,
  outcome: HostileFilter['outcome'] = 'refused',
): HostileFilter {
  return { name, parameters: [{ field: path, text }], outcome };
}

function nested(open: string, inside: string, close: string, levels: number): string {
  return open.repeat(levels) + inside + close.repeat(levels);
}

function list(length: number, item: (index: number) => string): string {
  return `[${Array.from({ length }, (_, index) => item(index)).join(',')}]`;
}

const texts: readonly HostileFilter[] = [
  whole('no text', ''),
  whole('white space', '   '),
  whole('half an object', '{"a":'),
  whole('two objects', '{"a":1}{"b":2}'),
  whole('text after the object', '{"a":1} x'),
  whole('single quotes', "{'a':1}"),
  whole('names without quotes', '{a:1}'),
  whole('a trailing comma', '{"a":1,}'),
  whole('a comment', '{"a":1/*x*/}'),
  whole('NaN', '{"a":NaN}'),
  whole('Infinity', '{"a":-Infinity}'),
  whole('undefined', '{"a":undefined}'),
  whole('a hexadecimal number', '{"a":0x10}'),
  whole('a leading zero', '{"a":01}'),
  whole('a lone minus', '{"a":-}'),
  whole('a raw newline in a string', '{"a":"x\ny"}'),
  whole('a broken escape', '{"a":"\\u12"}'),
  whole('null', 'null'),
  whole('a string', '"a"'),
  whole('a number', '1'),
  whole('an array', '[{"a":1}]'),
  whole('true', 'true'),
  whole('a function', 'function(){while(true);}'),
  whole('half a surrogate pair', '{"a":"\\ud800"}', 'answered'),
  whole('a byte-order mark', '\ufeff{"a":1}'),
  whole('a NUL in a string', '{"a":"\\u0000"}', 'answered'),
];

const sizes: readonly HostileFilter[] = [
  whole('brackets of 16 KiB', '['.repeat(16_000)),
  whole('100 levels of $and', nested('{"$and":[', '{"a":1}', ']}', 100)),
  whole('33 levels of $not', nested('{"$not":', '{"$gt":1}', '}', 33)),
  whole('15 levels of $and', nested('{"$and":[', '{"a":1}', ']}', 15), 'answered'),
  whole('15 levels of $nor', nested('{"$nor":[', '{"a":1}', ']}', 15), 'answered'),
  whole('10 levels of $elemMatch', `{"a":${nested('{"$elemMatch":', '{"$gt":1}', '}', 10)}}`, 'answered'),
  whole('99 levels of value', `{"a":${nested('[', '1', ']', 99)}}`, 'answered'),
  whole('100 levels of value', `{"a":${nested('[', '1', ']', 100)}}`),
  whole('100 levels of object', `{"a":${nested('{"x":', '1', '}', 100)}}`),
  whole('49 levels of $and', nested('{"$and":[', '{"a":1}', ']}', 49), 'answered'),
  whole('49 levels of $nor', nested('{"$nor":[', '{"a":1}', ']}', 49), 'answered'),
  whole('49 levels of $or, two each', nested('{"$or":[{"b":2},', '{"a":1}', ']}', 49), 'answered'),
  whole('98 levels of $not', `{"a":${nested('{"$not":', '{"$gt":1}', '}', 98)}}`, 'answered'),
  whole('98 levels of $elemMatch', `{"a":${nested('{"$elemMatch":', '{"$gt":1}', '}', 98)}}`, 'answered'),
  whole('more than 16 KiB', `{"a":"${'x'.repeat(16_400)}"}`),
  whole('more than 16 KiB of UTF-8 in fewer characters', `{"a":"${'€'.repeat(6_000)}"}`),
  whole('a megabyte', `{"a":"${'x'.repeat(1_000_000)}"}`),
  {
    name: 'parameters that are too large together',
    parameters: Array.from({ length: 20 }, () => ({ field: 'a', text: `"${'x'.repeat(1_000)}"` })),
    outcome: 'refused',
  },
  {
    name: 'a thousand parameters',
    parameters: Array.from({ length: 1_000 }, () => ({ field: 'a', text: '{"$gt":0}' })),
    outcome: 'answered',
  },
  whole('an $in of thousands of numbers', `{"a":{"$in":${list(3_000, String)}}}`, 'answered'),
  whole('an $in of thousands of empty arrays', `{"a":{"$in":${list(5_000, () => '[]')}}}`, 'answered'),
  whole(
    'an $in of thousands of objects',
    `{"a":{"$in":${list(1_500, (index) => `{"x":${index}}`)}}}`,
    'answered',
  ),
  whole('an $in beyond the limit', `{"a":{"$in":${list(10_000, String)}}}`),
  whole(
    'a $nin of a thousand strings',
    `{"a":{"$nin":${list(1_500, (index) => `"x${index}"`)}}}`,
    'answered',
  ),
  whole('an $all of thousands', `{"a":{"$all":${list(3_000, String)}}}`, 'answered'),
  whole('an $or of a thousand', `{"$or":${list(1_200, (index) => `{"a":${index}}`)}}`, 'answered'),
  whole('an $or of a thousand patterns', `{"$or":${list(700, () => '{"a":{"$regex":"x"}}')}}`, 'either'),
  whole('a thousand faults', `{"$or":${list(1_000, () => '{"$x":1}')}}`),
  whole('a path of thousands of steps', `{"${'a.'.repeat(7_000)}a":1}`, 'answered'),
  whole('a path of thousands of positions', `{"${'0.'.repeat(7_000)}0":1}`, 'answered'),
  whole('a name of 16,000 characters', `{"${'a'.repeat(16_000)}":1}`, 'answered'),
  whole('a position beyond all arrays', '{"a.99999999999999999999":1}', 'answered'),
  whole('a number of a thousand digits', `{"a":${'9'.repeat(1_000)}}`),
  whole('an exponent beyond all numbers', '{"a":1e999999999}'),
  whole('a tiny exponent', '{"a":1e-999999999}', 'answered'),
  whole('a decimal with a huge exponent', '{"a":{"$numberDecimal":"1E+999999999"}}'),
  whole('a decimal of a thousand digits', `{"a":{"$numberDecimal":"${'1'.repeat(1_000)}"}}`),
  whole(
    'the greatest decimal',
    '{"a":{"$gt":{"$numberDecimal":"9.999999999999999999999999999999999E+6144"}}}',
    'answered',
  ),
];

const names: readonly HostileFilter[] = [
  whole('__proto__ as a field', '{"__proto__":{"polluted":true}}', 'answered'),
  whole('__proto__ with an operator', '{"__proto__":{"$exists":true}}', 'answered'),
  whole('__proto__ in a path', '{"__proto__.__proto__.polluted":true}', 'answered'),
  whole('__proto__ in a value', '{"a":{"__proto__":{"polluted":true}}}', 'answered'),
  whole('__proto__ among operators', '{"a":{"$gt":1,"__proto__":{"$lt":5}}}'),
  whole('__proto__ in $regex', '{"a":{"$regex":"x","__proto__":{"$options":"i"}}}'),
  whole('constructor.prototype', '{"constructor.prototype":{"$exists":true}}', 'answered'),
  whole('hasOwnProperty as a field', '{"hasOwnProperty":1}', 'answered'),
  whole('valueOf and toString', '{"valueOf":1,"toString":2}', 'answered'),
  whole('then as a field', '{"then":1}', 'answered'),
  whole('toJSON as a field', '{"toJSON":1,"a":{"toJSON":1}}', 'answered'),
  whole('$constructor', '{"$constructor":1}'),
  whole('$__proto__', '{"a":{"$__proto__":1}}'),
  whole('$hasOwnProperty', '{"a":{"$hasOwnProperty":"$gt"}}'),
  field('filter[__proto__]', '__proto__', '1', 'answered'),
  field('filter[constructor.name]', 'constructor.name', '"Object"', 'answered'),
  field('filter[$where]', '$where', '"sleep(1000)"'),
  field('filter[] with no name', '', '1'),
  field('filter[.]', '.', '1'),
  field('filter[a.] with a dot at the end', 'a.', '1'),
  whole('a name given twice', '{"a":1,"a":2}'),
  whole('an operator given twice', '{"a":{"$gt":1,"$gt":5}}'),
  whole('a name given twice in two spellings', '{"a":1,"\\u0061":2}'),
  whole('a name given twice deep in a value', '{"x":[{"y":{"a":1,"b":2,"a":3}}]}'),
  whole('the same name in two objects', '{"a":{"x":1},"b":{"x":1},"$and":[{"a":1},{"a":1}]}', 'answered'),
  whole('a string that looks like two names', '{"a":"\\",\\"a\\":1,\\"a\\":2"}', 'answered'),
];

const places: readonly HostileFilter[] = [
  whole('$where with code', '{"$where":"while(true){}"}'),
  whole('$where under a field', '{"a":{"$where":"1"}}'),
  whole('$expr with $function', '{"$expr":{"$function":{"body":"f","args":[],"lang":"js"}}}'),
  whole('$jsonSchema', '{"$jsonSchema":{}}'),
  whole('$comment', '{"$comment":"x"}'),
  whole('an operator as a value', '{"a":{"$eq":{"$where":"1"}}}'),
  whole('an operator in an $in', '{"a":{"$in":[{"$where":"1"}]}}'),
  whole('an operator deep in a value', '{"a":{"x":{"$gt":1}}}'),
  whole('a wrapper with two members', '{"a":{"$date":0,"$oid":"000000000000000000000000"}}'),
  whole('a wrapper that is not known', '{"a":{"$binary":"AAAA"}}'),
  whole('a wrapper in a wrapper', '{"a":{"$date":{"$date":0}}}'),
  whole('an old form of regular expressions', '{"a":{"$regularExpression":{"pattern":"x","options":""}}}'),
  whole('$ref and $id', '{"a":{"$ref":"x","$id":"y"}}'),
  whole('$options alone', '{"a":{"$options":"i"}}'),
  whole('$maxDistance alone', '{"a":{"$maxDistance":1}}'),
  whole('$geometry alone', '{"a":{"$geometry":{"type":"Point","coordinates":[0,0]}}}'),
  whole(
    'a polygon of thousands of positions',
    `{"a":{"$geoIntersects":{"$geometry":{"type":"Polygon","coordinates":[` +
      `${list(2_500, (index) => (index % 2 ? '[0,1]' : '[1,0]'))}]}}}}`,
  ),
  whole(
    'two $near',
    '{"a":{"$near":{"$geometry":{"type":"Point","coordinates":[0,0]}}},' +
      '"b":{"$near":{"$geometry":{"type":"Point","coordinates":[0,0]}}}}',
  ),
];

const patterns: readonly HostileFilter[] = [
  whole('nested repetitions', '{"s":{"$regex":"^(a+)+$"}}', 'either'),
  whole('repeated alternatives', '{"s":{"$regex":"^(a|aa)*$"}}', 'either'),
  whole('many optional letters', `{"s":{"$regex":"^${'a?'.repeat(40)}${'a'.repeat(40)}$"}}`, 'either'),
  whole('nested counts', '{"s":{"$regex":"((a{100}){100}){100}"}}', 'either'),
  whole('a huge count', '{"s":{"$regex":"a{100000}"}}'),
  whole('deep groups', `{"s":{"$regex":"${nested('(', 'a', ')', 400)}"}}`, 'either'),
  whole('many .*', `{"s":{"$regex":"${'.*'.repeat(100)}b"}}`, 'either'),
  whole('a backreference', '{"s":{"$regex":"(a+)\\\\1+$"}}', 'either'),
  whole('looking behind', '{"s":{"$regex":"(?<=a)b"}}', 'either'),
  whole('recursion', '{"s":{"$regex":"(a(?R)?b)"}}', 'either'),
  whole('recursion without end', '{"s":{"$regex":"(?R)|a"}}', 'either'),
  whole('recursion into two', '{"s":{"$regex":"(a(?1)?(?1)?!)b"}}', 'either'),
  whole('a lookahead in a loop', '{"s":{"$regex":"^(?:(?=(a+)+b)a|a)*$"}}', 'either'),
  whole('a callout', '{"s":{"$regex":"a(?C1)b"}}'),
  whole('an unclosed group', '{"s":{"$regex":"("}}'),
  whole('a class turned around', '{"s":{"$regex":"[z-a]"}}'),
  whole('a pattern of 1,001 characters', `{"s":{"$regex":"${'a'.repeat(1_001)}"}}`),
  whole('an option that is not known', '{"s":{"$regex":"a","$options":"g"}}'),
  whole('an $in of hostile patterns', `{"s":{"$in":${list(200, () => '{"$regex":"^(a+)+$"}')}}}`, 'either'),
];

export const HOSTILE_FILTERS: readonly HostileFilter[] = [
  ...texts,
  ...sizes,
  ...names,
  ...places,
  ...patterns,
];
