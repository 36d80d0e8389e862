/** Permissions in words (src/dashboard/pages/keys/permissions.ts): ticks make patterns, and patterns are ticks. */
import { describe, expect, test } from 'vitest';
import { EVERY, patternOf, sentenceOf, typesIn } from '../../src/dashboard/pages/keys/permissions.ts';

const READ = { methods: ['get'] };

describe('ticks', () => {
  test.each([
    [['articles'], '/resources/articles(/.*)?'],
    [['a', 'b-c'], '/resources/(a|b-c)(/.*)?'],
    [['x.y'], String.raw`/resources/x\.y(/.*)?`],
    [['a', 'core.file'], String.raw`(/resources/a|/files/core\.file)(/.*)?`],
    [
      ['a', 'b', 'core.user', 'core.user-group'],
      String.raw`(/resources/(a|b)|/users/(core\.user|core\.user-group))(/.*)?`,
    ],
    [[EVERY], '/resources(/.*)?'],
    [[], ''],
  ])('of %j are %s, and back', (types, pattern) => {
    expect(patternOf(types)).toBe(pattern);
    expect(typesIn(pattern)).toEqual(types.length === 0 ? undefined : types);
    if (pattern !== '') expect(() => new RegExp(pattern)).not.toThrow();
  });
});

test.each([
  ['/resources/articles', ['articles']],
  ['/resources/.*', [EVERY]],
  ['/resources/(a|b)(/[0-9a-f]{24})?', ['a', 'b']],
  ['/resources/a/[0-9a-f]{24}', undefined],
  ['/resources/a.*', undefined],
  ['/resources/a/b', undefined],
  ['/resources/a|b', undefined],
  ['/resources/(a|b', undefined],
  ['.*', undefined],
  ['/operations', undefined],
])('the pattern %s is for %j', (path, types) => {
  expect(typesIn(path)).toEqual(types);
});

test.each([
  [{ path: '/resources/articles(/.*)?', ...READ }, 'Whoever has the key may read articles.'],
  [
    { path: '/resources/(a|b|c)', methods: ['post', 'get', 'bulk'], acl: { active: true } },
    'Users may read, create and change many at once a, b and c, as far as their rights go.',
  ],
  [
    { path: '/resources/.*', ...READ, where: {} },
    'Whoever has the key may read documents of every type, under its rules.',
  ],
  [{ path: '.*', ...READ }, 'Whoever has the key may read what the pattern names.'],
  [{ path: '.*', methods: [] }, 'Nobody may do anything by this.'],
])('%j says: %s', (permission, sentence) => {
  expect(sentenceOf(permission)).toBe(sentence);
});
