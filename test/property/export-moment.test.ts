/** An export in pages equals one in a single page, taken before it, whatever others write between its pages. */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { exported } from '../support/transfer.ts';
import { few, scaled } from '../support/long.ts';

const client = await Client.create();

type Write =
  | { readonly kind: 'create' }
  | { readonly kind: 'change' | 'delete' | 'rights'; readonly which: number };

const which = fc.nat({ max: 11 });
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.constant({ kind: 'create' as const }),
  fc.record({ kind: fc.constantFrom('change' as const, 'delete' as const, 'rights' as const), which }),
  // The last positions are those that may be given again.
  fc.record({ kind: fc.constant('delete' as const), which: fc.constantFrom(10, 11) }),
);

let made = 0;

async function perform(type: string, ids: string[], each: Write): Promise<void> {
  made += 1;
  if (each.kind === 'create') {
    ids.push((await client.make(type, { made })).id);
    return;
  }
  const id = ids[Math.min(each.which, ids.length - 1)];
  if (id === undefined) return;
  if (each.kind === 'delete') await client.delete(`/resources/${type}/${id}`);
  if (each.kind === 'change') {
    await client.update(`/resources/${type}/${id}`, { attributes: { made } });
  }
  if (each.kind === 'rights') {
    const read = [{ type: 'core.user', id: made.toString(16).padStart(24, '0') }];
    await client.update(`/resources/${type}.acl/${id}`, { attributes: { read } });
  }
}

test('for random writes between pages of random sizes, two exports at a time', async () => {
  let run = 0;
  let differing = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 6, maxLength: 14 }),
      fc.array(fc.array(write, { maxLength: 5 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 4 }),
      async (before, between, size) => {
        const type = `type${(run += 1)}`;
        const ids: string[] = [];
        for (const each of [...Array.from({ length: 6 }, () => ({ kind: 'create' as const })), ...before]) {
          await perform(type, ids, each);
        }
        const steps = [...between];
        const writes = async () => {
          for (const each of steps.shift() ?? []) await perform(type, ids, each);
        };
        const whole = await exported(client.application, type);
        let later: Promise<readonly [string, string]> | undefined;
        const paged = await exported(client.application, type, {
          size,
          between: async () => {
            // Another export begins when the first is under way.
            later ??= exported(client.application, type).then(async (asItWas) => [
              asItWas,
              await exported(client.application, type, { size: size + 1, between: writes }),
            ]);
            await later;
            await writes();
          },
        });
        expect(paged).toBe(whole);
        const [asItWas, read] = (await later) ?? ['', ''];
        expect(read).toBe(asItWas);
        if ((await exported(client.application, type)) !== whole) differing += 1;
      },
    ),
    { numRuns: few(25) },
  );
  expect(differing).toBeGreaterThan(scaled(15));
});
