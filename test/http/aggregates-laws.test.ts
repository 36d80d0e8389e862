/** Laws of aggregates over random documents: what is remembered is what would be computed, whoever asks. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { defined, letRead, outputsPath } from '../support/aggregates.ts';
import { Client, type Reply, type Resource } from '../support/client.ts';
import { makeUser, underAcl, type Person } from '../support/people.ts';

const SORTED = { sort: 'id', 'page[limit]': '1000' };

const FINISH = [
  {
    group: {
      id: '$kind',
      n: { $sum: 1 },
      sum: { $sum: '$value' },
      least: { $min: '$value' },
      all: { $push: '$value' },
      some: { $addToSet: '$value' },
    },
  },
];
/** `$rand` makes a pipeline one whose results are never kept; what it adds here is nothing. */
const NEVER_CACHED = [{ project: { kind: 1, value: 1, zero: { $multiply: [{ $rand: {} }, 0] } } }, ...FINISH];

const kind = fc.constantFrom('a', 'b', 'c');
const value = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom<unknown>(0.5, null, 'x', true, [1, 2]),
  fc.constantFrom<unknown>(
    { $numberDecimal: '0.1' },
    { $numberLong: '9007199254740993' },
    { $date: '2026-01-01' },
  ),
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('make'), kind, value }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('change'), at: fc.nat(), value }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('grant'),
      at: fc.nat(),
      to: fc.constantFrom('ada', 'bob', 'all', 'none'),
    }),
  },
);
type Step = {
  readonly do: string;
  readonly at?: number;
  readonly to?: string;
  readonly kind?: unknown;
  readonly value?: unknown;
};

/** The documents of one run, and the steps that change them. */
class World {
  readonly client: Client;
  readonly users: Readonly<Record<string, Person>>;
  documents: readonly Resource[] = [];

  constructor(client: Client, users: Readonly<Record<string, Person>>) {
    this.client = client;
    this.users = users;
  }

  async take({ do: what, at = 0, to = 'none', ...attributes }: Step): Promise<void> {
    if (what === 'make') {
      this.documents = [...this.documents, await this.client.make('data', attributes)];
      return;
    }
    const document = this.documents[at % Math.max(1, this.documents.length)];
    if (document === undefined) return;
    const { type, id } = document;
    if (what === 'change')
      await this.client.patch(`/resources/data/${id}`, { data: { type, id, attributes } });
    if (what === 'delete') {
      await this.client.delete(`/resources/data/${id}`);
      this.documents = this.documents.filter((each) => each !== document);
    }
    if (what === 'grant') {
      const user = this.users[to];
      const read = user === undefined ? [] : [user.link];
      await letRead(this.client, document, to === 'all' ? '*' : read);
    }
  }
}

const shown = ({ status, text, body }: Reply): unknown =>
  status === 200 ? body.data.map(({ id, attributes }) => [id, attributes]) : text;

async function newWorld(): Promise<{ readonly world: World; readonly web: Client }> {
  const client = await Client.create();
  const web = await underAcl(client);
  const users = { ada: await makeUser(client, 'ada'), bob: await makeUser(client, 'bob') };
  await defined(client, 'kept', 'data', FINISH);
  await defined(client, 'fresh', 'data', NEVER_CACHED);
  return { world: new World(client, users), web };
}

describe('after any writes and changes of rights', () => {
  test('what is remembered is what would be computed, for each viewer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
        const { world, web } = await newWorld();
        const viewers: readonly (readonly [Client, Person['headers'] | undefined])[] = [
          [world.client, undefined],
          ...Object.values(world.users).map(({ headers }) => [web, headers] as const),
        ];
        for (const each of steps) {
          await world.take(each);
          for (const [by, headers] of viewers) {
            const kept = await by.get(outputsPath('kept', SORTED), headers);
            const fresh = await by.get(outputsPath('fresh', SORTED), headers);
            expect(shown(kept)).toEqual(shown(fresh));
          }
        }
      }),
      { numRuns: 5 },
    );
  });

  test('an aggregate with ACL on is the aggregate over the readable documents', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 20 }), async (steps) => {
        const { world, web } = await newWorld();
        for (const each of steps) await world.take(each);
        for (const { link, headers } of Object.values(world.users)) {
          const readable = await web.get('/resources/data?page[limit]=1000', headers);
          const ids = readable.body.data.map((each) => ({ $oid: each.id }));
          const pipeline = [{ filter: { id: { $in: ids } } }, ...FINISH];
          await defined(world.client, `of-${link.id}`, 'data', pipeline);
          const alone = await world.client.get(outputsPath(`of-${link.id}`, SORTED));
          expect(shown(await web.get(outputsPath('kept', SORTED), headers))).toEqual(shown(alone));
        }
      }),
      { numRuns: 5 },
    );
  });
});
