/** Rules of permissions as they are read again with each key: what is not understood permits nothing. */
import { expect, test } from 'vitest';
import { readPermissions } from '../../src/auth/permissions.ts';

test.each<[string, object]>([
  ['no filter', { where: '5' }],
  ['no JSON', { where: '{' }],
  ['a filter that is not understood', { check: '{"a":{"$gtt":1}}' }],
  ['a variable that is not known', { where: '{"a":"$$viewer.mail"}' }],
  ['a filter that is not kept as text', { where: { a: 1 } }],
  ['fields that are no list', { fields: { read: 'a' } }],
])('a stored permission with %s permits nothing', (_, rule) => {
  const sound = { path: '/a', methods: ['get'] };
  const { permissions, problems } = readPermissions([{ ...sound, ...rule }, sound], null);
  expect(problems.length).toBeGreaterThan(0);
  expect(permissions.map(({ rule: read }) => read)).toEqual([null]);
});
