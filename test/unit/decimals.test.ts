/** Reading 128-bit decimals: canonical texts, trailing zeros kept, nothing rounded (IEEE 754-2008; decisions, 2). */
import { expect, test } from 'vitest';
import { parseDecimal } from '../../src/domain/values/decimal.ts';

test.each([
  ['0', '0'],
  ['-0', '-0'],
  ['0.00', '0.00'],
  ['007', '7'],
  ['+7', '7'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['1.10', '1.10'],
  ['1.10e1', '11.0'],
  ['12e2', '1.2E+3'],
  ['0.000001', '0.000001'],
  ['0.0000001', '1E-7'],
  ['0.00000010', '1.0E-7'],
  ['123.456e-10', '1.23456E-8'],
  ['9999999999999999999999999999999999', '9999999999999999999999999999999999'],
  ['1e6111', '1E+6111'],
  ['1e6112', '1.0E+6112'],
  ['1e6144', '1.000000000000000000000000000000000E+6144'],
  ['1e-6176', '1E-6176'],
  ['10e-6177', '1E-6176'],
  ['0e9999', '0E+6111'],
])('%s is %s', (text, canonical) => {
  expect(parseDecimal(text)?.text).toBe(canonical);
});

test.each([
  '',
  '.',
  '+',
  'e1',
  '1e',
  '1e+',
  '1 ',
  '1_000',
  '1,5',
  'NaN',
  'Infinity',
  '0x1',
  '--1',
  '99999999999999999999999999999999999',
  '1.0000000000000000000000000000000001',
  '1e6145',
  '1e-6177',
  '15e-6177',
  '1e9999999999',
])('"%s" is no decimal, or would have to be rounded', (text) => {
  expect(parseDecimal(text)).toBeUndefined();
});
