/** What tells one client from another: nothing that it can choose. */
import { expect, test } from 'vitest';
import { clientAddressOf } from '../../src/http/client-address.ts';

const addressIn = (value: string) =>
  clientAddressOf({ headers: new Headers({ 'x-real-ip': value }) }, 'X-Real-IP');

test('with a setting, but without its header, no address is known', () => {
  const headers = new Headers({ 'cf-connecting-ip': '192.0.2.1', 'x-forwarded-for': '192.0.2.1' });
  expect(clientAddressOf({ headers, cf: { clientIp: '192.0.2.1:80' } }, 'X-Real-IP')).toBeNull();
});

test.each([
  ['192.0.2.1:4711', '192.0.2.1'],
  ['[2001:db8:1:2::6]:4711', '8193:3512:1:2'],
  ['[::ffff:192.0.2.1]:4711', '192.0.2.1'],
  // Of this machine: a proxy, or a developer.
  ['127.0.0.1:4711', null],
  ['127.1.2.3:4711', null],
  ['[::1]:4711', null],
  ['[::ffff:127.0.0.1]:4711', null],
  ['unix:/socket', 'unix:/socket'],
  [7, null],
  [undefined, null],
])('without a setting, the other end %s is %s, whatever headers say', (clientIp, address) => {
  const headers = new Headers({
    'cf-connecting-ip': '192.0.2.9',
    'mf-cf-blob': '{"clientIp":"192.0.2.9:1"}',
  });
  expect(clientAddressOf({ headers, cf: { clientIp } }, null)).toBe(address);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1 ', '192.0.2.1'],
  ['invented, 10.0.0.1, 192.0.2.1', '192.0.2.1'],
  ['invented,', null],
  ['', null],
  ['x'.repeat(300), null],
  ['a name of its own', 'a name of its own'],
  ['2001:db8:1:2:3:4:5:6', '8193:3512:1:2'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '8193:3512:1:2'],
  ['[2001:DB8:1:2::6]', '8193:3512:1:2'],
  ['2001:db8:1:3::6', '8193:3512:1:3'],
  ['2001:db8::', '8193:3512:0:0'],
  ['fe80::1%eth0', '65152:0:0:0'],
  ['::1', '0:0:0:0'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.2', '192.0.2.2'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['[2001:db8:1:2::6]:4711', '8193:3512:1:2'],
  ['::::', '::::'],
])('%s is %s', (value, address) => {
  expect(addressIn(value)).toBe(address);
});
