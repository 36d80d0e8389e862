/**
 * A list of operations does what the same operations do one by one: the documents, ids aside, are equal afterwards,
 * and a list that fails has the status of the first of them that fails alone, and has done nothing.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client, NO_ID, type Link, type Reply } from '../support/client.ts';
import { operate, type Operation } from '../support/operations.ts';
import { few } from '../support/long.ts';

const RUNS = Array.from({ length: few(25) }, (_, run) => run);

/** Documents there are before: those of a list's own type, and one of another. */
const SEEDS = 4;

/** What an operation is about: a seed by its position, one that was never there, or one that the list has added. */
type Which = { readonly seed: number } | { readonly added: number } | 'nothing' | 'other type';

type Step =
  | { readonly do: 'add'; readonly n: number; readonly kin: readonly Which[]; readonly bad: boolean }
  | {
      readonly do: 'update';
      readonly at: Which;
      readonly n: number;
      readonly name: string;
      readonly match: Match;
    }
  | { readonly do: 'remove'; readonly at: Which; readonly match: Match }
  | {
      readonly do: 'link' | 'unlink' | 'relink';
      readonly at: Which;
      readonly name: string;
      readonly to: readonly Which[];
    };

type Match = 'none' | 'any' | 'seed' | 'stale';

// Most steps succeed: lists are to get far.
const which: fc.Arbitrary<Which> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ seed: fc.nat({ max: SEEDS - 1 }) }) },
  { weight: 20, arbitrary: fc.record({ added: fc.nat({ max: 20 }) }) },
  { weight: 1, arbitrary: fc.constant('nothing' as const) },
);
const linked: fc.Arbitrary<Which> = fc.oneof(
  { weight: 10, arbitrary: which },
  { weight: 3, arbitrary: fc.constant('other type' as const) },
);
const match = fc.oneof(
  { weight: 12, arbitrary: fc.constant('none' as const) },
  { weight: 3, arbitrary: fc.constant('any' as const) },
  { weight: 2, arbitrary: fc.constant('seed' as const) },
  { weight: 1, arbitrary: fc.constant('stale' as const) },
);
const n = fc.oneof({ weight: 30, arbitrary: fc.nat({ max: 8 }) }, { weight: 1, arbitrary: fc.constant(9) });
const to = fc.array(linked, { maxLength: 3 });
const field = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('kin', 'best') },
  { weight: 1, arbitrary: fc.constant('n') },
);
const attribute = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('n', 'm') },
  { weight: 1, arbitrary: fc.constant('kin') },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      n,
      kin: to,
      bad: fc.integer({ min: 0, max: 30 }).map((each) => each === 0),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('update' as const), at: which, n, name: attribute, match }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at: which, match }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('link' as const, 'unlink' as const, 'relink' as const),
      at: which,
      name: field,
      to,
    }),
  },
);

/** One type, with as many documents before as the other that it is compared to. */
class World {
  readonly type: string;
  readonly #seeds: readonly Link[];
  readonly #other: Link;
  readonly #etag: string;
  /** The ids of what was added, or the local ids that stand for them. */
  readonly added: ({ readonly id: string } | { readonly lid: string })[] = [];

  private constructor(type: string, seeds: readonly Link[], other: Link, etag: string) {
    this.type = type;
    this.#seeds = seeds;
    this.#other = other;
    this.#etag = etag;
  }

  static async create(type: string): Promise<World> {
    const other = await client.make('others');
    const seeds: Link[] = [];
    for (let seed = 0; seed < SEEDS; seed += 1) {
      seeds.push(await client.make(type, { n: seed }, { kin: { data: [{ type: 'others', id: other.id }] } }));
    }
    const { etag } = await client.get(`/resources/${type}`);
    return new World(type, seeds, other, etag);
  }

  /** A name of a document, by its id or its local id; that of a seed where nothing was added yet. */
  name(at: Which): { readonly type: string; readonly id?: string; readonly lid?: string } {
    const { type } = this;
    if (at === 'nothing') return { type, id: NO_ID };
    if (at === 'other type') return { type: 'others', id: this.#other.id };
    if ('seed' in at) return { type, id: this.#seeds[at.seed]?.id ?? NO_ID };
    return this.added.length === 0
      ? { type, id: this.#seeds[0]?.id ?? NO_ID }
      : { type, ...this.added[at.added % this.added.length] };
  }

  tag(of: Match): string | undefined {
    return { none: undefined, any: '*', seed: this.#etag, stale: '"AA"' }[of];
  }

  /** All documents, with their places in the order of creation instead of their ids. */
  async documents(): Promise<unknown> {
    const { text, body } = await client.get(`/resources/${this.type}?page[limit]=1000`);
    const ids = body.data.map(({ id }) => id);
    const known = [
      ...this.#seeds.map(({ id }) => id),
      ...this.added.flatMap((each) => ('id' in each ? each.id : [])),
    ];
    const places = [...new Set([...ids, ...known])].sort();
    const named = places.reduce(
      (all, id, at) => all.replaceAll(id, `id ${at}`),
      text.replaceAll(this.#other.id, 'the other'),
    );
    return JSON.parse(named.replaceAll(this.type, 'listed'));
  }
}

/** The step as an operation of a list, in the names of a world. */
function operationOf(world: World, step: Step, position: number): Operation {
  const { type } = world;
  switch (step.do) {
    case 'add':
      return { op: 'add', data: { ...draftOf(world, step), lid: `lid ${position}` } };
    case 'update': {
      const tag = world.tag(step.match);
      const ref = world.name(step.at);
      const data = { ...ref, attributes: { [step.name]: step.n } };
      return { op: 'update', ref, data, ...(tag !== undefined && { meta: { 'if-match': tag } }) };
    }
    case 'remove': {
      const tag = world.tag(step.match);
      return {
        op: 'remove',
        ref: world.name(step.at),
        ...(tag !== undefined && { meta: { 'if-match': tag } }),
      };
    }
    default: {
      const ref = { ...world.name(step.at), type, relationship: step.name };
      return { op: OPS[step.do], ref, data: step.to.map((each) => world.name(each)) };
    }
  }
}

const OPS = { link: 'add', unlink: 'remove', relink: 'update' } as const;
const METHODS = { link: 'POST', unlink: 'DELETE', relink: 'PATCH' } as const;

/** The step as a request of its own. */
async function request(world: World, step: Step): Promise<Reply> {
  const { type } = world;
  const path = (at: Which) => `/resources/${type}/${world.name(at).id ?? ''}`;
  const tagged = (tag: string | undefined) => (tag === undefined ? {} : { 'if-match': tag });
  switch (step.do) {
    case 'add': {
      const made = await client.post(`/resources/${type}`, { data: draftOf(world, step) });
      if (made.status === 201) world.added.push({ id: made.body.data.id });
      return made;
    }
    case 'update': {
      const data = { ...world.name(step.at), attributes: { [step.name]: step.n } };
      return client.patch(path(step.at), { data }, tagged(world.tag(step.match)));
    }
    case 'remove':
      return client.delete(path(step.at), undefined, tagged(world.tag(step.match)));
    default:
      return client.send(METHODS[step.do], `${path(step.at)}/relationships/${step.name}`, {
        body: { data: step.to.map((each) => world.name(each)) },
      });
  }
}

function draftOf(world: World, { n: number, kin, bad }: Step & { readonly do: 'add' }) {
  return {
    type: world.type,
    attributes: { n: number, ...(bad && { $bad: 1 }) },
    relationships: { kin: { data: kin.map((each) => world.name(each)) } },
  };
}

const client = await Client.create();
const attributes = {
  target: 'listed',
  content: { properties: { attributes: { properties: { n: { maximum: 8 } } } } },
};
for (const target of RUNS.flatMap((run) => [`one${run}`, `all${run}`])) {
  const data = { type: 'core.schema', attributes: { ...attributes, target } };
  if ((await client.post('/schemas/core.schema', { data })).status !== 201) throw new Error('no schema');
}

test('a list of operations is what its operations are one by one', async () => {
  const runs = RUNS.values();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      // Shrinking takes more runs than there are; without a schema it goes on.
      const run = runs.next().value ?? `shrunk${Math.random()}`;
      const [one, all] = [await World.create(`one${run}`), await World.create(`all${run}`)];
      const before = await all.documents();

      const operations: Operation[] = [];
      for (const [position, next] of steps.entries()) {
        operations.push(operationOf(all, next, position));
        if (next.do === 'add') all.added.push({ lid: `lid ${position}` });
      }
      const answer = await operate(client, operations);

      let failed: Reply | undefined;
      let position = 0;
      for (const next of steps) {
        const reply = await request(one, next);
        if (reply.status >= 400) {
          failed = reply;
          break;
        }
        position += 1;
      }
      if (failed === undefined) {
        expect([200, 204]).toContain(answer.status);
        all.added.splice(0);
        const added = answer.results.filter((_, at) => steps[at]?.do === 'add');
        all.added.push(...added.map(({ data }) => ({ id: data?.id ?? '' })));
        expect(await all.documents()).toEqual(await one.documents());
      } else {
        expect([answer.status, answer.body.errors.map(({ code }) => code)]).toEqual([
          failed.status,
          failed.body.errors.map(({ code }) => code),
        ]);
        for (const { source } of answer.body.errors) {
          expect(`${source?.pointer ?? ''}/`).toContain(`/atomic:operations/${position}/`);
        }
        all.added.splice(0);
        expect(await all.documents()).toEqual(before);
      }
    }),
    { numRuns: RUNS.length },
  );
});
