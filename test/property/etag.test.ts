/**
 * Laws of ETags under random interleavings of writes, against a model that knows when each document last changed:
 * a read is 304 iff no document of its answer has changed since, and a write under `If-Match` succeeds iff its
 * document has not.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client, link, pathOf, type Reply, type Resource } from '../support/client.ts';
import { few } from '../support/long.ts';

const client = await Client.create();

/** A document as the model knows it. `stamp` grows with every change of any document. */
interface Known {
  readonly type: string;
  readonly id: string;
  alive: boolean;
  stamp: number;
  to: readonly Known[];
}

const VIEWS = [
  'document',
  'include',
  'deep include',
  'list',
  'page',
  'list include',
  'related',
  'link',
] as const;
type View = (typeof VIEWS)[number];

type Step =
  | { readonly do: 'create'; readonly type: number; readonly to: readonly number[] }
  | { readonly do: 'patch' | 'delete'; readonly at: number }
  | { readonly do: 'relink'; readonly at: number; readonly to: readonly number[] }
  | { readonly do: 'remember'; readonly view: View; readonly at: number }
  | { readonly do: 'patch if'; readonly tag: number; readonly at: number };

const at = fc.nat({ max: 50 });
const to = fc.array(at, { maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), type: fc.nat({ max: 1 }), to }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('patch' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('relink' as const), at, to }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('remember' as const), view: fc.constantFrom(...VIEWS), at }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('patch if' as const), tag: at, at }) },
);

/** What an answer is made of: its documents, whoever is only behind it, and how many there are in all. */
interface Answer {
  readonly shown: readonly Known[];
  readonly behind: readonly Known[];
  readonly total: number;
}

interface Remembered {
  readonly view: View;
  readonly owner: Known;
  readonly etag: string;
  readonly stamps: ReadonlyMap<Known, number>;
  readonly print: string;
}

class World {
  readonly #types: readonly string[];
  readonly #documents: Known[] = [];
  readonly #remembered: Remembered[] = [];
  #clock = 0;

  constructor(run: number) {
    this.#types = [`x${run}`, `y${run}`];
  }

  async take(next: Step): Promise<void> {
    switch (next.do) {
      case 'create':
        return this.#create(this.#types[next.type] ?? '', this.#some(next.to));
      case 'patch':
        return this.#change(this.#one(next.at), 'attributes');
      case 'delete':
        return this.#delete(this.#one(next.at));
      case 'relink':
        return this.#change(this.#one(next.at), this.#some(next.to));
      case 'remember':
        return this.#remember(next.view, this.#documents[next.at % this.#documents.length]);
      case 'patch if':
        return this.#patchIf(this.#remembered[next.tag % this.#remembered.length], next.at);
    }
  }

  /** Reads everything remembered again. */
  async check(): Promise<void> {
    for (const { view, owner, etag, print } of this.#remembered) {
      const answer = this.#answerOf(view, owner);
      const read = await client.get(this.#addressOf(view, owner), { 'if-none-match': etag });
      const expected = answer === null ? 404 : printOf(answer) === print ? 304 : 200;
      expect([view, read.status]).toEqual([view, expected]);
      if (read.status === 200 && answer !== null) expect(idsOf(read)).toEqual(sortedIds(answer.shown));
    }
  }

  #alive(type?: string): readonly Known[] {
    return this.#documents.filter((each) => each.alive && (type === undefined || each.type === type));
  }

  #one(index: number): Known | undefined {
    const alive = this.#alive();
    return alive[index % alive.length];
  }

  #some(indexes: readonly number[]): readonly Known[] {
    return [...new Set(indexes.flatMap((index) => this.#one(index) ?? []))];
  }

  #touch(document: Known): void {
    this.#clock += 1;
    document.stamp = this.#clock;
  }

  async #create(type: string, to: readonly Known[]): Promise<void> {
    const { id } = await client.make(type, { n: 0 }, { to: { data: to.map(link) } });
    const document = { type, id, alive: true, stamp: 0, to };
    this.#touch(document);
    this.#documents.push(document);
  }

  async #change(document: Known | undefined, change: 'attributes' | readonly Known[]): Promise<void> {
    if (document === undefined) return;
    const content =
      change === 'attributes'
        ? { attributes: { n: this.#clock } }
        : { relationships: { to: { data: change.map(link) } } };
    const patched = await client.update(pathOf(document), content);
    expect(patched.status).toBe(200);
    if (change !== 'attributes') document.to = change;
    this.#touch(document);
  }

  async #delete(document: Known | undefined): Promise<void> {
    if (document === undefined) return;
    expect((await client.delete(pathOf(document))).status).toBe(204);
    document.alive = false;
    this.#touch(document);
  }

  async #remember(view: View, owner: Known | undefined): Promise<void> {
    const answer = owner && this.#answerOf(view, owner);
    if (owner === undefined || answer === undefined || answer === null) return;
    const read = await client.get(this.#addressOf(view, owner));
    expect(idsOf(read)).toEqual(sortedIds(answer.shown));
    const stamps = new Map([...answer.shown, ...answer.behind].map((each) => [each, each.stamp]));
    this.#remembered.push({ view, owner, etag: read.etag, stamps, print: printOf(answer) });
    if (this.#remembered.length > 6) this.#remembered.shift();
  }

  async #patchIf(remembered: Remembered | undefined, index: number): Promise<void> {
    if (remembered === undefined) return;
    const seen = [...remembered.stamps];
    const [document, stamp] = seen[index % seen.length] ?? [];
    if (document === undefined) return;
    const { type, id } = document;
    const data = { type, id, attributes: { n: -this.#clock } };
    const patched = await client.patch(pathOf(document), { data }, { 'if-match': remembered.etag });
    const unchanged = document.alive && document.stamp === stamp;
    expect(patched.status).toBe(unchanged ? 204 : 412);
    if (unchanged) this.#touch(document);
  }

  #addressOf(view: View, owner: Known): string {
    const [path, collection] = [pathOf(owner), `/resources/${owner.type}`];
    const addresses: Readonly<Record<View, string>> = {
      document: path,
      include: `${path}?include=to`,
      'deep include': `${path}?include=to.to`,
      list: `${collection}?page[limit]=1000`,
      page: `${collection}?page[limit]=2`,
      'list include': `${collection}?page[limit]=2&include=to`,
      related: `${path}/to`,
      link: `${path}/relationships/to`,
    };
    return addresses[view];
  }

  /** What the view shows now; null where there is nothing at its address. */
  #answerOf(view: View, owner: Known): Answer | null {
    const single = (shown: readonly Known[], behind: readonly Known[] = []) => ({ shown, behind, total: 0 });
    const members = this.#alive(owner.type);
    const first = members.slice(0, 2);
    const total = members.length;
    if (!owner.alive) {
      if (view === 'related' || view === 'link') return null;
      if (view === 'document' || (view.endsWith('include') && view !== 'list include'))
        return single([], [owner]);
    }
    switch (view) {
      case 'document':
        return single([owner]);
      case 'include':
        return single(distinct(owner, ...reached([owner])));
      case 'deep include':
        return single(distinct(owner, ...reached([owner]), ...reached(reached([owner]))));
      case 'list':
        return { shown: members, behind: [], total };
      case 'page':
        return { shown: first, behind: [], total };
      case 'list include':
        return { shown: distinct(...first, ...reached(first)), behind: [], total };
      case 'related':
        return single(reached([owner]), [owner]);
      case 'link':
        return single([], [owner]);
    }
  }
}

const distinct = (...documents: readonly Known[]) => [...new Set(documents)];
const sortedIds = (documents: readonly Known[]) => documents.map(({ id }) => id).sort();

function reached(from: readonly Known[]): readonly Known[] {
  return distinct(...from.flatMap((each) => each.to)).filter(({ alive }) => alive);
}

/** Equal prints: nothing of the answer has changed. */
function printOf({ shown, behind, total }: Answer): string {
  const stamps = (documents: readonly Known[]) => documents.map(({ id, stamp }) => `${id}@${stamp}`).sort();
  return JSON.stringify([stamps(shown), stamps(behind), total]);
}

/** The ids of all documents that an answer shows; links are no documents. */
function idsOf({ body }: Reply): readonly string[] {
  const data = [(body.data as unknown) ?? []].flat() as readonly Partial<Resource>[];
  const included = (body.included as readonly Resource[] | undefined) ?? [];
  return [...data.filter(({ links }) => links !== undefined), ...included].map(({ id }) => id ?? '').sort();
}

test('a read is 304, and a conditional write succeeds, iff nothing changed since', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      const world = new World((run += 1));
      for (const next of steps) {
        await world.take(next);
        if (next.do !== 'remember') await world.check();
      }
    }),
    { numRuns: few(20) },
  );
});
