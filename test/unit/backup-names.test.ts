/** Names of backups, and which of them a restore takes. */
import { describe, expect, test } from 'vitest';
import { chosen } from '../../scripts/transfer/backups.ts';
import { nameAt, timeOf } from '../../src/modules/applications/backups/names.ts';

test('a name is a moment, to the second', () => {
  const at = Date.parse('2026-11-22T03:17:05.678Z');
  expect(nameAt(at)).toBe('2026-11-22T03-17-05Z');
  expect(timeOf(nameAt(at))).toBe(at - 678);
});

test.each([
  '',
  'x',
  '2026-11-22T03:17:05Z',
  '2026-13-22T03-17-05Z',
  '2026-11-22T03-17-05Z/',
  ' 2026-11-22T03-17-05Z',
])('%j is no name', (text) => {
  expect(timeOf(text)).toBeUndefined();
});

describe('a restore takes', () => {
  const names = ['2026-11-20T03-17-00Z', '2026-11-21T03-17-00Z', '2026-11-22T03-17-00Z'];
  const backups = names.map((name) => ({ name, bytes: 1 }));
  test.each([
    [null, null, names[2]],
    ['2026-11-22T03:16:59Z', null, names[1]],
    ['2026-11-22T03:17:00Z', null, names[2]],
    ['2026-11-21', null, names[0]],
    [null, '2026-11-20T03-17-00Z', names[0]],
  ])('at %s, name %s: %s', (at, name, taken) => {
    expect(chosen(backups, { at, name })).toBe(taken);
  });

  test.each([
    ['2026-11-19', null, 'There is no such backup'],
    ['soon', null, '--at takes a time'],
    [null, '2026-11-23T03-17-00Z', 'There is no such backup'],
    ['2026-11-22', '2026-11-20T03-17-00Z', 'not both'],
  ])('nothing at %s, name %s: %s', (at, name, reason) => {
    expect(() => chosen(backups, { at, name })).toThrow(reason);
  });
});
