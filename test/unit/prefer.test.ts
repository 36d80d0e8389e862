/** The header Prefer (RFC 7240): what is read of it, and what an answer says of it. */
import { describe, expect, test } from 'vitest';
import { preferenceApplied, readPrefer } from '../../src/http/prefer.ts';

describe('return, of', () => {
  test.each([
    [null, null],
    ['', null],
    ['return=minimal', 'minimal'],
    ['return=representation', 'representation'],
    ['RETURN=minimal', 'minimal'],
    ['return="minimal"', 'minimal'],
    ['return="mini\\mal"', 'minimal'],
    [' return = minimal ', 'minimal'],
    ['return=minimal; foo="some, thing"', 'minimal'],
    ['foo; bar="return=representation, x", return=minimal', 'minimal'],
    ['respond-async, wait=100, return=minimal', 'minimal'],
    // Of two with one name the first counts, even if it means nothing.
    ['return=minimal, return=representation', 'minimal'],
    ['return=other, return=minimal', null],
    ['return', null],
    ['return=Minimal', null],
    ['return=minimal representation', null],
    ['"return=minimal', null],
    [',,;;==,', null],
    ['__proto__=minimal, constructor', null],
  ])('%j is %j', (header, value) => {
    expect(readPrefer(header, ['return']).return).toBe(value);
  });
});

test('what an endpoint does not heed is not read; every endpoint heeds server-timing', () => {
  expect(readPrefer('return=minimal, server-timing')).toMatchObject({
    return: null,
    handling: null,
    'server-timing': '',
  });
  expect(readPrefer('server-timing=5')).toMatchObject({ 'server-timing': null });
});

test.each([
  ['return=minimal, server-timing', false, { 'Preference-Applied': 'server-timing, return=minimal' }],
  ['return=representation', true, { 'Preference-Applied': 'return=representation' }],
  ['return=representation', false, null],
  ['respond-async', true, null],
])('an answer to %j with a body: %j says %j', (header, shows, headers) => {
  expect(preferenceApplied(readPrefer(header, ['return']), shows)).toEqual(headers);
});
