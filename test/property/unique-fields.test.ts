/** The law of unique fields: a write is taken exactly if no other document shares a combination of values after it. */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { settle } from '../support/type-settings.ts';
import { few } from '../support/long.ts';

let runs = 0;
const client = await Client.create();

/** Values as sent, and a text that is the same for equal ones. */
const SCALARS: readonly (readonly [unknown, string])[] = [
  [1, '1'],
  [{ $numberDecimal: '1.0' }, '1'],
  [{ $numberLong: '2' }, '2'],
  [2, '2'],
  ['1', '"1"'],
  [true, 'true'],
];

type Sent = readonly [unknown, readonly string[]];

const scalar = fc.constantFrom(...SCALARS).map(([value, text]): Sent => [value, [text]]);
const absent = fc.constantFrom<Sent>([null, []], [undefined, []]);
const empty = fc.constant<Sent>([[], []]);
const list = fc
  .array(fc.constantFrom(...SCALARS), { minLength: 1, maxLength: 3 })
  .map((some): Sent => [some.map(([value]) => value), some.map(([, text]) => text)]);

interface Fields {
  readonly a: Sent;
  readonly b: Sent;
}

const fields = fc.record<Fields>({ a: fc.oneof(scalar, absent, empty, list), b: fc.oneof(scalar, absent) });
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), fields }),
  fc.record({ kind: fc.constant('change' as const), at: fc.nat(5), fields }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(5) }),
);

function combinations({ a, b }: Fields): readonly string[] {
  return a[1].flatMap((one) => b[1].map((other) => `${one} ${other}`));
}

function sent({ a, b }: Fields): object {
  return { a: a[0] ?? null, b: { c: b[0] } };
}

test('for random histories of creates, changes and deletions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const type = `law-${(runs += 1)}`;
      await settle(client, { name: type, unique: [['a', 'b.c']] });
      const stored: { id: string; fields: Fields }[] = [];
      for (const each of steps) {
        const target = each.kind === 'add' ? undefined : stored[each.at % Math.max(1, stored.length)];
        if (each.kind !== 'add' && target === undefined) continue;
        if (each.kind === 'remove') {
          await client.delete(`/resources/${type}/${target?.id ?? ''}`);
          stored.splice(0, stored.length, ...stored.filter((other) => other !== target));
          continue;
        }
        const mine = combinations(each.fields);
        const isTaken = stored.some(
          (other) => other !== target && combinations(other.fields).some((one) => mine.includes(one)),
        );
        const reply =
          target === undefined
            ? await client.create(`/resources/${type}`, { attributes: sent(each.fields) })
            : await client.update(`/resources/${type}/${target.id}`, { attributes: sent(each.fields) });
        expect(reply.status === 409, JSON.stringify([stored, each])).toBe(isTaken);
        if (isTaken) continue;
        expect(reply.status).toBeLessThan(300);
        if (target === undefined) stored.push({ id: reply.body.data.id, fields: each.fields });
        else target.fields = each.fields;
      }
    }),
    { numRuns: few(25) },
  );
});
