/** Laws of the client's documents, over random values of all kinds, against the service. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { connect, Decimal, ObjectId } from '../../src/client/index.ts';
import { Client } from '../support/client.ts';
import { scaled } from '../support/long.ts';

const { url, application, key } = await Client.create();
const sent: string[] = [];
const db = connect({
  url,
  application,
  key,
  fetch: (address, init) => {
    if (init?.method === 'PATCH' && typeof init.body === 'string') sent.push(init.body);
    return fetch(address, init);
  },
});

const name = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_ -]{0,8}[A-Za-z0-9_]$/)
  .filter((each) => !['id', 'type', '__proto__'].includes(each));
const LONG = 2n ** 63n;
const leaf = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, 2 ** 31, 2 ** 53, 2 ** 60, 1e21, 1e300, 5e-324, '', '__proto__'),
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -LONG, max: LONG - 1n }),
  fc.date({ noInvalidDate: true }),
  fc.tuple(fc.integer(), fc.nat(999_999)).map(([whole, part]) => new Decimal(`${whole}.${part}`)),
  fc.stringMatching(/^[0-9a-f]{24}$/).map((hex) => new ObjectId(hex)),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(name, fc.constantFrom('id', 'type', '__proto__', 'toJSON')), tie('any'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).any;
const document = fc.dictionary(name, value, { minKeys: 1, maxKeys: 6, noNullPrototype: true });

/** What a value is when it is read: a long integer that a number holds is one. */
function read(each: unknown): unknown {
  if (typeof each === 'bigint') return Number.isSafeInteger(Number(each)) ? Number(each) : each;
  if (Array.isArray(each)) return each.map(read);
  if (typeof each !== 'object' || each === null || Object.getPrototypeOf(each) !== Object.prototype)
    return each;
  return Object.fromEntries(
    Object.entries(each).map(([key, member]: [string, unknown]) => [key, read(member)]),
  );
}

/** The members that every document has, and what the client keeps beside them. */
function known(it: object): object {
  const own = Object.entries(it).filter(([key]) => key === 'id' || key === 'type');
  const kept = Object.getOwnPropertySymbols(it).map(
    (symbol) => [symbol, Reflect.get(it, symbol) as unknown] as const,
  );
  return Object.fromEntries<unknown>([...own, ...kept]);
}

async function made(values: Readonly<Record<string, unknown>>) {
  const { id } = await db.create('things', values);
  const found = await db.get('things', id);
  if (found === null) throw new Error('The document is gone.');
  return found;
}

describe('a document of any values', () => {
  test('comes back as it was made, and saved as it is sends nothing', async () => {
    await fc.assert(
      fc.asyncProperty(document, async (values) => {
        const it = await made(values);
        expect(it).toEqual({ ...(read(values) as object), ...known(it) });
        sent.length = 0;
        await db.save(it);
        await db.save({ ...it });
        expect(db.changes(it)).toEqual({});
        expect(sent).toEqual([]);
      }),
      { numRuns: scaled(60) },
    );
  });

  test('with a changed member sends exactly that, once, and is then stored with it', async () => {
    await fc.assert(
      fc.asyncProperty(document, value, fc.nat(), async (values, other, at) => {
        const it = await made(values);
        const names = Object.keys(values);
        const changed = names[at % names.length] ?? '';
        it[changed] = other;
        sent.length = 0;
        await db.save(it);
        await db.save(it);
        // Nothing is sent where the other value happens to be the same one.
        const bodies = sent.map((body) => JSON.parse(body) as { data: { attributes: object } });
        expect([[], [[changed]]]).toContainEqual(bodies.map(({ data }) => Object.keys(data.attributes)));
        expect(db.changes(it)).toEqual({});
        const stored = { ...values, [changed]: other };
        expect(await db.get('things', it.id)).toEqual({ ...(read(stored) as object), ...known(it) });
      }),
      { numRuns: scaled(60) },
    );
  });
});
