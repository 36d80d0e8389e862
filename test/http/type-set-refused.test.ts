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

describe('an expression that looks at the whole document', () => {
  const whole = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`kind${n}`, { $type: '$$ROOT' }]));

  test('has it as the fields before have left it', async () => {
    const set = { n: { $add: ['$k', 1] }, was: '$$ROOT', m: '$n', is: '$$after', gone: '$$REMOVE' };
    expect((await settle(client, { name: 'wholes', set })).status).toBe(201);
    const { attributes, id } = await client.make('wholes', { k: 1 });
    const was = { id, type: 'wholes', k: 1, n: 2 };
    expect(attributes).toEqual({ k: 1, n: 2, m: 2, was, is: { ...was, was, m: 2 } });
  });

  test('takes the work of its fields: too many of these are refused, not slow', async () => {
    const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`f${n}`, n]));
    for (const [count, status] of [
      [1, 201],
      [50, 422],
    ] as const) {
      expect((await settle(client, { name: `wide${count}`, set: whole(count) })).status).toBe(201);
      const made = await client.create(`/resources/wide${count}`, { attributes: wide });
      expect(made.status).toBe(status);
      if (status === 422) expect(made.body.errors[0]?.detail).toContain('It takes too much work.');
    }
  });
});
