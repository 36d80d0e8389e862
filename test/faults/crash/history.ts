/** A type with history in the crash run: its versions are those answered, and perhaps the one that was under way. */
import { pathOf, type Client, type Link } from '../../support/client.ts';
import { change, restore, versionOf, versionsIn, versionsOf } from '../../support/history.ts';
import { settle } from '../../support/type-settings.ts';
import type { Random } from '../random.ts';
import { answered } from './answered.ts';

const TYPE = 'kept-versions';

/** Documents that are written at a time, and versions of each: one that has them is left. */
const MOST = 10;
const VERSIONS = 90;

/** What a document was in each version, by its `n`; null where it was deleted. */
type Past = readonly (number | null)[];

export class CrashHistory {
  readonly #pasts = new Map<string, Past>();
  #underWay: { readonly id: string; readonly past: Past } | null = null;
  #made = 0;

  async begin(client: Client): Promise<void> {
    answered(await settle(client, { name: TYPE, history: 'forever' }), 201);
  }

  /** Writes until `over`, or until the service does not answer any more. */
  async run(client: Client, random: Random, over: () => boolean): Promise<void> {
    try {
      while (!over()) await this.#write(client, random);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** What is wrong with the versions after a crash. What was under way is then as it was found. */
  async compare(client: Client): Promise<{ readonly versions: number; readonly faults: readonly string[] }> {
    const faults: string[] = [];
    let versions = 0;
    for (const [id, past] of this.#pasts) {
      const found = await this.#pastOf(client, id);
      versions += found.length;
      const written = this.#underWay?.id === id ? this.#underWay.past : past;
      if (String(found) !== String(past) && String(found) !== String(written))
        faults.push(`The versions of ${id} are ${String(found)}, answered were ${String(past)}.`);
      this.#pasts.set(id, found);
    }
    this.#underWay = null;
    const { body } = await client.get(`/resources/${TYPE}?deleted=true&page[size]=1000`);
    const trash = new Set(body.data.map(({ id }) => id));
    for (const [id, past] of this.#pasts) {
      if (trash.has(id) !== (past.at(-1) === null)) faults.push(`The trash is wrong about ${id}.`);
    }
    return { versions, faults };
  }

  async #write(client: Client, random: Random): Promise<void> {
    const ids = [...this.#pasts.keys()];
    const full = ids.find((id) => (this.#pasts.get(id)?.length ?? 0) >= VERSIONS);
    const n = (this.#made += 1);
    if (ids.length < MOST || full !== undefined) {
      this.#pasts.delete(full ?? '');
      const made = await client.create(`/resources/${TYPE}`, { attributes: { n } });
      answered(made, 201);
      this.#pasts.set(made.body.data.id, [n]);
      return;
    }
    const id = random.pick(ids);
    const link: Link = { type: TYPE, id };
    const past = this.#pasts.get(id) ?? [];
    const isThere = past.at(-1) !== null;
    const kind = isThere ? random.weighted({ change: 5, remove: 1, restore: 2 }) : 'restore';
    if (kind === 'change') {
      this.#underWay = { id, past: [...past, n] };
      answered(await change(client, link, { n }), 200);
    } else if (kind === 'remove') {
      this.#underWay = { id, past: [...past, null] };
      answered(await client.delete(pathOf(link)), 204);
    } else {
      const number = random.pick([...past.keys()].filter((at) => past[at] !== null)) + 1;
      this.#underWay = { id, past: [...past, past[number - 1] ?? null] };
      answered(await restore(client, link, number), 200);
    }
    this.#pasts.set(id, this.#underWay.past);
    this.#underWay = null;
  }

  async #pastOf(client: Client, id: string): Promise<Past> {
    const link = { type: TYPE, id };
    const past: (number | null)[] = [];
    for (const { number, change: kind } of versionsIn(
      await versionsOf(client, link, {}, '?page[size]=100'),
    )) {
      const { body } = await versionOf(client, link, number);
      const isDeletion = kind === 'delete';
      past[number - 1] = isDeletion ? null : Number(body.data.attributes?.['n']);
    }
    return past;
  }
}
