/** `set` in the settings of a type: what is refused when the settings are written. */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { settle } from '../support/type-settings.ts';

const client = await Client.create();

describe('settings that are wrong are refused when they are written', () => {
  test.each<[string, string, unknown, string]>([
    ['no object', 'x', [], '/set'],
    ['more than 50', 'x', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`n${n}`, 1])), '/set'],
    ['a name that no field has', 'x', { 'a,b': 1 }, '/set/a,b'],
    ['the id', 'x', { id: 1 }, '/set/id'],
    ['an unknown operator', 'x', { a: { $sume: 1 } }, '/set/a/$sume'],
    ['a default of another form', 'x', { a: { value: 1, unless: 'never' } }, '/set/a'],
    ['a default with more', 'x', { a: { value: 1, unless: 'given', also: 1 } }, '/set/a'],
    ['a default without a value', 'x', { a: { unless: 'given' } }, '/set/a'],
    [
      'a default that is no expression',
      'x',
      { a: { value: { $sume: 1 }, unless: 'given' } },
      '/set/a/value/$sume',
    ],
    ['users', 'core.user', { password: 'x' }, '/set'],
  ])('%s', async (_, name, set, pointer) => {
    const refused = await settle(client, { name, set });
    expect(faultsOf(refused)).toEqual([`422 invalid-attribute /data/attributes${pointer}`]);
  });

  test('a literal object may have the names of a default', async () => {
    const set = { a: { $literal: { value: 1, unless: 'given' } }, b: { value: 2 } };
    expect((await settle(client, { name: 'literal', set })).status).toBe(201);
    expect((await client.make('literal')).attributes).toEqual({
      a: { value: 1, unless: 'given' },
      b: { value: 2 },
    });
  });
});
