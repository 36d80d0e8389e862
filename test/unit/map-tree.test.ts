/** Mapping of trees: what is copied, and that every name is only a name. */
import { expect, test } from 'vitest';
import { mapFields, mapList, mapTree } from '../../src/domain/values/tree.ts';

const doubled = (value: number) => (value < 0 ? value : value * 2);

test.each([
  ['the first child', '[1,-1,-2]', '[2,-1,-2]'],
  ['the last child', '[-1,-2,3]', '[-1,-2,6]'],
  ['a field', '{"a":-1,"b":2,"c":-3}', '{"a":-1,"b":4,"c":-3}'],
  ['a field named as a position', '{"b":-1,"2":2,"1":1}', '{"1":2,"2":4,"b":-1}'],
  ['a field named __proto__', '{"a":-1,"__proto__":2}', '{"a":-1,"__proto__":4}'],
])('%s changes, and nothing else', (_, before, after) => {
  const tree = JSON.parse(before) as number[] | Record<string, number>;
  expect(JSON.stringify(mapTree(tree, doubled))).toBe(after);
  expect(JSON.stringify(tree)).toBe(JSON.stringify(JSON.parse(before)));
});

test.each(['[]', '[-1,-2]', '{}', '{"a":-1,"__proto__":-2}'])(
  '%s, which does not change, is not copied',
  (json) => {
    const tree = JSON.parse(json) as number[] | Record<string, number>;
    expect(mapTree(tree, doubled)).toBe(tree);
  },
);

test('a child comes with its name, or its position', () => {
  expect(mapList(['a', 'b'], (child, index) => `${child}${index}`)).toEqual(['a0', 'b1']);
  expect(mapFields({ x: 'a', y: 'b' }, (child, name) => `${child}${name}`)).toEqual({ x: 'ax', y: 'by' });
});
