/**
 * History, trash and moments against a list kept outside: random writes, restores, deletions and changes of rights,
 * by a service and by a user. Whatever happens, each version and the trash are what the list says.
 */
import { expect, test } from 'vitest';
import { Random } from '../faults/random.ts';
import { Client, pathOf, type Link, type Reply, type Resource } from '../support/client.ts';
import { change, restore, versionOf, versionsIn, versionsOf } from '../support/history.ts';
import { some } from '../support/long.ts';
import { grant, makeUser, underAcl, type Person } from '../support/people.ts';
import { resettle, settle } from '../support/type-settings.ts';

type Right = 'read' | 'update' | 'delete';

/** A version as the list has it; without attributes, a deletion. */
interface StoredVersion {
  readonly change: string;
  readonly user: Link | null;
  readonly attributes: Readonly<Record<string, unknown>> | null;
}

/** A document as the list has it. Rights of a deleted one are those of its end. */
interface Modelled {
  readonly document: Link;
  readonly versions: StoredVersion[];
  rights: Readonly<Record<Right, readonly Person[]>>;
}

const TYPE = 'notes';
const STEPS = 80;
/** What makes differences of states worth storing. */
const TEXT = 'It was a dark and stormy night. '.repeat(200);
const CHECKED_EVERY = 10;
const NO_RIGHTS = { read: [], update: [], delete: [] };

const last = ({ versions }: Modelled): StoredVersion | undefined => versions.at(-1);
const attributesIn = ({ body }: Reply) => (body.data as Resource | null)?.attributes ?? null;
const isThere = (each: Modelled) => last(each)?.attributes !== null;

class Run {
  readonly #random: Random;
  readonly #client: Client;
  readonly #acl: Client;
  readonly #people: readonly Person[];
  readonly #documents: Modelled[] = [];
  readonly done = new Map<string, number>();

  constructor(random: Random, client: Client, acl: Client, people: readonly Person[]) {
    this.#random = random;
    this.#client = client;
    this.#acl = acl;
    this.#people = people;
  }

  async step(value: number): Promise<void> {
    const kind = this.#random.weighted({ create: 1, update: 7, grant: 3, delete: 3, restore: 4 });
    const by = this.#random.below(3) === 0 ? null : this.#random.pick(this.#people);
    if (kind === 'create' || this.#documents.length === 0) return this.#create(by, value);
    const asked = this.#random.pick(this.#documents);
    const sender = by === null ? this.#client : this.#acl;
    switch (kind) {
      case 'update': {
        const attributes = { n: value, [`m${this.#random.below(3)}`]: value };
        const isDone = isThere(asked) && may(asked, 'update', by);
        const sent = await change(sender, asked.document, attributes, by?.headers);
        this.#note('update', asked, by, isDone, sent, { ...last(asked)?.attributes, ...attributes });
        break;
      }
      case 'delete': {
        const isDone = isThere(asked) && may(asked, 'delete', by);
        const sent = await sender.delete(pathOf(asked.document), undefined, by?.headers);
        this.#note('delete', asked, by, isDone, sent, null);
        break;
      }
      case 'restore': {
        const n = 1 + this.#random.below(asked.versions.length);
        const attributes = asked.versions[n - 1]?.attributes ?? null;
        const rights: readonly Right[] = isThere(asked) ? ['read', 'update'] : ['delete'];
        const isDone = attributes !== null && rights.every((right) => may(asked, right, by));
        const sent = await restore(sender, asked.document, n, by?.headers);
        this.#note('restore', asked, by, isDone, sent, attributes);
        break;
      }
      case 'grant':
        await this.#grant(asked);
    }
  }

  async #create(by: Person | null, value: number): Promise<void> {
    const attributes = { n: value, text: TEXT };
    const made = await (by === null ? this.#client : this.#acl).create(
      `/resources/${TYPE}`,
      { attributes },
      by?.headers,
    );
    const document = { type: TYPE, id: made.body.data.id };
    const rights = by === null ? NO_RIGHTS : { read: [by], update: [by], delete: [by] };
    const created: Modelled = { document, versions: [], rights };
    this.#documents.push(created);
    this.#note('create', created, by, true, made, attributes);
  }

  /** Rights of a document make no version. */
  async #grant(asked: Modelled): Promise<void> {
    if (!isThere(asked)) return;
    const some = () => this.#people.filter(() => this.#random.below(2) === 0);
    asked.rights = { read: some(), update: some(), delete: some() };
    const links = Object.entries(asked.rights).map(([right, people]) => [
      right,
      people.map(({ link }) => link),
    ]);
    await grant(this.#client, pathOf(asked.document), Object.fromEntries(links) as Record<string, Link[]>);
    this.#count('grant');
  }

  #note(
    kind: string,
    asked: Modelled,
    by: Person | null,
    isDone: boolean,
    { status, text }: Reply,
    attributes: StoredVersion['attributes'],
  ): void {
    if (status >= 500 || status < 300 !== isDone)
      throw new Error(`${kind} by ${by?.link.id ?? 'the service'} should be ${isDone}: ${status} ${text}`);
    if (isDone) asked.versions.push({ change: kind, user: by?.link ?? null, attributes });
    this.#count(isDone ? kind : `refused ${kind}`);
  }

  #count(what: string): void {
    this.done.set(what, (this.done.get(what) ?? 0) + 1);
  }

  /** Compares everything with what the service says. */
  async check(): Promise<void> {
    for (const each of this.#documents) await this.#checkVersions(each);
    await this.#checkTrash(this.#client, null);
    for (const person of this.#people) await this.#checkTrash(this.#acl, person);
  }

  async #checkVersions({ document, versions, rights }: Modelled): Promise<void> {
    const listed = versionsIn(await versionsOf(this.#client, document, {}, '?page[size]=100')).toReversed();
    expect(listed.map(({ number, change: kind, user }) => [number, kind, user])).toEqual(
      versions.map(({ change: kind, user }, at) => [at + 1, kind, user]),
    );
    for (const [index, { attributes }] of versions.entries()) {
      const read = await versionOf(this.#client, document, index + 1);
      expect(attributesIn(read)).toEqual(attributes);
      // Of versions of one millisecond, the last one counts.
      if (listed[index]?.at === listed[index + 1]?.at) continue;
      const then = await this.#client.get(`${pathOf(document)}?at=${listed[index]?.at}`);
      expect([then.body.meta['number'], attributesIn(then)]).toEqual([index + 1, attributes]);
    }
    const n = 1 + this.#random.below(versions.length);
    for (const person of this.#people) {
      const { status } = await versionOf(this.#acl, document, n, person.headers);
      expect(status).toBe(rights.read.includes(person) ? 200 : 404);
    }
  }

  async #checkTrash(by: Client, person: Person | null): Promise<void> {
    const seen: { readonly id: string; readonly at: string }[] = [];
    let next: string | null = `/resources/${TYPE}?deleted=true&page[size]=2`;
    while (next !== null) {
      const page: Reply = await by.get(next, person?.headers);
      for (const { id, attributes, ...rest } of page.body.data) {
        const modelled = this.#documents.find(({ document }) => document.id === id);
        const { deleted } = (rest as unknown as { meta: { deleted: { number: number; at: string } } }).meta;
        expect(deleted).toMatchObject({
          number: (modelled?.versions.length ?? 0) - 1,
          user: modelled && last(modelled)?.user,
        });
        expect(attributes).toEqual(modelled?.versions.at(-2)?.attributes);
        seen.push({ id, at: deleted.at });
      }
      ({ next } = page.body.links);
    }
    const expected = this.#documents.filter((each) => !isThere(each) && may(each, 'read', person));
    expect(seen.map(({ id }) => id).toSorted()).toEqual(
      expected.map(({ document }) => document.id).toSorted(),
    );
    expect(seen).toEqual(
      seen.toSorted((one, other) => (`${one.at} ${one.id}` < `${other.at} ${other.id}` ? 1 : -1)),
    );
  }
}

function may({ rights }: Modelled, right: Right, by: Person | null): boolean {
  return by === null || rights[right].includes(by);
}

test.each(some([1, 2, 3, 4, 5, 6], 3))(
  'history, trash and moments are as a list has them: seed %d',
  async (seed) => {
    const client = await Client.create();
    await settle(client, { name: TYPE, history: 'forever' });
    const people = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
    const run = new Run(new Random(seed), client, await underAcl(client), people);
    for (let step = 1; step <= STEPS; step += 1) {
      await run.step(step);
      if (step % CHECKED_EVERY > 0) continue;
      // The service looks through the log then, and stores states as differences.
      await resettle(client, TYPE, { history: { days: 1000 + step } });
      await run.check();
    }
    for (const what of [
      'create',
      'update',
      'delete',
      'restore',
      'grant',
      'refused update',
      'refused restore',
    ])
      expect(run.done.get(what) ?? 0, what).toBeGreaterThan(0);
  },
);
