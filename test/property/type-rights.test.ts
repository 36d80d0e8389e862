/**
 * The law of rights that settings of a type give: whatever the settings, the documents, their links and ACLs, who is in
 * which group, however all of these change, everybody reads, changes and deletes exactly what a naive model says.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client, type Link } from '../support/client.ts';
import { ACL, EVERY_METHOD, makeExternalUser, makeGroup, makeUser, may } from '../support/people.ts';
import { resettle, settle } from '../support/type-settings.ts';
import { few, scaled } from '../support/long.ts';

const RIGHTS = ['read', 'update', 'delete'] as const;
type Right = (typeof RIGHTS)[number];

/** Identities by number: three people, then two groups. */
const PEOPLE = [0, 1, 2];
const GROUPS = [3, 4];
const identity = fc.constantFrom(...PEOPLE, ...GROUPS);
/** Two rooms, and the house that both are in: whoever may read the house reads and changes the rooms. */
const ROOMS = [0, 1];
const HOUSE = 2;
const room = fc.option(fc.constantFrom(...ROOMS));
const entry = fc.constantFrom(
  ...['*', '$creator', '$from', '$team', '$in', '$in', '$in.read', '$in.update'],
  ...PEOPLE,
  ...GROUPS,
);
const rights = fc.record({
  read: fc.uniqueArray(entry, { maxLength: 3 }),
  update: fc.uniqueArray(entry, { maxLength: 2 }),
  delete: fc.uniqueArray(entry, { maxLength: 2 }),
});
type Given = typeof rights extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    by: fc.option(fc.constantFrom(...PEOPLE)),
    from: fc.option(identity),
    team: fc.uniqueArray(identity, { maxLength: 3 }),
    in: room,
  }),
  fc.record({ kind: fc.constant('move' as const), at: fc.nat(), in: room }),
  fc.record({
    kind: fc.constant('grant' as const),
    on: fc.constantFrom(...ROOMS, HOUSE),
    right: fc.constantFrom(...RIGHTS),
    to: fc.uniqueArray(identity, { maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant('relink' as const),
    at: fc.nat(),
    team: fc.uniqueArray(identity, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('acl' as const),
    at: fc.nat(),
    right: fc.constantFrom(...RIGHTS),
    to: fc.uniqueArray(identity, { maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant('members' as const),
    group: fc.constantFrom(...GROUPS),
    people: fc.uniqueArray(fc.constantFrom(...PEOPLE)),
  }),
  fc.record({ kind: fc.constant('settings' as const), rights: fc.option(rights, { freq: 4 }) }),
  fc.record({ kind: fc.constant('update' as const), at: fc.nat(), by: fc.constantFrom(...PEOPLE) }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(), by: fc.constantFrom(...PEOPLE) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Stored {
  readonly id: string;
  readonly creator: number | null;
  readonly from: number | null;
  team: readonly number[];
  in: number | null;
  /** The document's own ACL. */
  readonly own: Record<Right, readonly number[]>;
}

const client = await Client.create();
const acl = await client.withPermissions([may(EVERY_METHOD, '/.*', ACL)]);
await settle(client, { name: 'rooms', rights: { read: ['$house'], update: ['$house.read'] } });
const people = [await makeUser(client, 'ann'), await makeUser(client, 'bob'), await makeExternalUser(client)];

const seen = { read: 0, hidden: 0, done: 0, refused: 0 };

class World {
  readonly type: string;
  readonly #links: readonly Link[];
  /** The rooms and the house, and their own ACLs. */
  readonly #places: readonly Link[];
  readonly #granted = [...ROOMS, HOUSE].map((): Record<Right, readonly number[]> => ({
    read: [],
    update: [],
    delete: [],
  }));
  readonly #members = new Map<number, readonly number[]>(GROUPS.map((group) => [group, []]));
  #given: Given | null = null;
  #stored: readonly Stored[] = [];

  constructor(type: string, groups: readonly Link[], places: readonly Link[]) {
    this.type = type;
    this.#places = places;
    this.#links = [...people.map(({ link }) => link), ...groups];
  }

  #linkOf(number: number): Link {
    return this.#links[number] ?? expect.fail();
  }

  /** What an entry of the settings is in a request. */
  entriesOf(given: Given | null) {
    const shown = (each: string | number) => (typeof each === 'number' ? this.#linkOf(each) : each);
    return given && Object.fromEntries(RIGHTS.map((right) => [right, given[right].map(shown)]));
  }

  /** Whether a person has a right, by the model. */
  #has(person: number, right: Right, document: Stored): boolean {
    const is = (number: number | null) => this.#is(person, number);
    if (document.own[right].some(is)) return true;
    return (this.#given?.[right] ?? []).some((each) => {
      if (each === '*') return true;
      if (each === '$creator') return is(document.creator);
      if (each === '$from') return is(document.from);
      if (each === '$in') return this.#hasPlace(person, right, document.in);
      if (each === '$in.read' || each === '$in.update')
        return this.#hasPlace(person, each === '$in.read' ? 'read' : 'update', document.in);
      return each === '$team' ? document.team.some(is) : typeof each === 'number' && is(each);
    });
  }

  #is(person: number, number: number | null): boolean {
    return number === person || (number !== null && this.#members.get(number)?.includes(person) === true);
  }

  /** The same of a room, or the house. */
  #hasPlace(person: number, right: Right, place: number | null): boolean {
    if (place === null) return false;
    const isGranted = this.#granted[place]?.[right].some((number) => this.#is(person, number)) === true;
    return isGranted || (place !== HOUSE && right !== 'delete' && this.#hasPlace(person, 'read', HOUSE));
  }

  #toPlace(place: number | null): { readonly data: Link | null } {
    return { data: place === null ? null : (this.#places[place] ?? expect.fail()) };
  }

  async #grantOn({ on, right, to }: Extract<Step, { readonly kind: 'grant' }>): Promise<void> {
    const { type, id } = this.#places[on] ?? expect.fail();
    const attributes = { [right]: to.map((number) => this.#linkOf(number)) };
    const changed = await client.update(`/resources/${type}.acl/${id}`, { attributes });
    expect(changed.status).toBe(200);
    Object.assign(this.#granted[on] ?? {}, { [right]: to });
  }

  async take(each: Step): Promise<void> {
    const document = 'at' in each ? this.#stored[each.at % Math.max(1, this.#stored.length)] : undefined;
    const path = `/resources/${this.type}/${document?.id ?? ''}`;
    const data = { type: this.type, id: document?.id };
    if (each.kind === 'create') return this.#create(each);
    if (each.kind === 'grant') return this.#grantOn(each);
    if (each.kind === 'members') {
      const { type, id } = this.#linkOf(each.group);
      const users = { data: each.people.map((person) => this.#linkOf(person)) };
      const changed = await client.update(`/users/${type}/${id}`, { relationships: { users } });
      expect(changed.status).toBe(200);
      this.#members.set(each.group, each.people);
      return;
    }
    if (each.kind === 'settings') {
      expect((await resettle(client, this.type, { rights: this.entriesOf(each.rights) })).status).toBe(200);
      this.#given = each.rights;
      return;
    }
    if (document === undefined) return;
    if (each.kind === 'move') {
      const moved = await client.patch(`${path}/relationships/in`, this.#toPlace(each.in));
      expect(moved.status).toBe(200);
      document.in = each.in;
    } else if (each.kind === 'relink') {
      const links = each.team.map((number) => this.#linkOf(number));
      expect((await client.patch(`${path}/relationships/team`, { data: links })).status).toBe(200);
      document.team = each.team;
    } else if (each.kind === 'acl') {
      const type = `${this.type}.acl`;
      const attributes = { [each.right]: each.to.map((number) => this.#linkOf(number)) };
      const changed = await client.update(`/resources/${type}/${document.id}`, { attributes });
      expect(changed.status).toBe(200);
      document.own[each.right] = each.to;
    } else {
      const { headers } = people[each.by] ?? expect.fail();
      const reply =
        each.kind === 'update'
          ? await acl.patch(path, { data: { ...data, attributes: { n: 1 } } }, headers)
          : await acl.delete(path, undefined, headers);
      const may = this.#has(each.by, each.kind, document);
      seen[may ? 'done' : 'refused'] += 1;
      expect([each.kind, reply.status < 300]).toEqual([each.kind, may]);
      if (may && each.kind === 'delete') this.#stored = this.#stored.filter((other) => other !== document);
    }
  }

  async #create({ by, from, team, in: place }: Extract<Step, { readonly kind: 'create' }>): Promise<void> {
    const relationships = {
      from: { data: from === null ? null : this.#linkOf(from) },
      team: { data: team.map((number) => this.#linkOf(number)) },
      in: this.#toPlace(place),
    };
    const data = { type: this.type, attributes: { n: 0 }, relationships };
    const key = by === null ? client : acl;
    const made = await key.post(`/resources/${this.type}`, { data }, by === null ? {} : people[by]?.headers);
    expect(made.status).toBe(201);
    const owners = by === null || this.#given !== null ? [] : [by];
    const own = { read: owners, update: owners, delete: owners };
    const document: Stored = { id: made.body.data.id, creator: by, from, team, in: place, own };
    if (by !== null) expect(made.body.data.attributes !== undefined).toBe(this.#has(by, 'read', document));
    this.#stored = [...this.#stored, document];
  }

  /** Everybody sees what the model says, in every way to read. */
  async check(): Promise<void> {
    const checks = people.map(async ({ headers }, person) => {
      const ids = this.#stored.filter((each) => this.#has(person, 'read', each)).map(({ id }) => id);
      seen.read += ids.length;
      seen.hidden += this.#stored.length - ids.length;
      const listed = await acl.get(`/resources/${this.type}?page[limit]=100`, headers);
      const filtered = await acl.get(
        `/resources/${this.type}?filter[n]={"$gte":0}&sort=-n&page[limit]=100`,
        headers,
      );
      expect([listed.body.meta.count, listed.body.data.map(({ id }) => id)]).toEqual([ids.length, ids]);
      expect(filtered.body.data.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    });
    await Promise.all(checks);
  }

  /** The same of each document at its own address. */
  async checkEach(): Promise<void> {
    for (const document of this.#stored) {
      for (const [person, { headers }] of people.entries()) {
        const { status } = await acl.get(`/resources/${this.type}/${document.id}`, headers);
        expect(status).toBe(this.#has(person, 'read', document) ? 200 : 403);
      }
    }
  }

  async begin(given: Given): Promise<void> {
    const made = await settle(client, { name: this.type, rights: this.entriesOf(given) });
    expect(made.status).toBe(201);
    this.#given = given;
  }
}

test('whatever changes, readers see exactly what the model says', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(rights, fc.array(step, { minLength: 14, maxLength: 22 }), async (given, steps) => {
      run += 1;
      const groups = [await makeGroup(client, []), await makeGroup(client, [])];
      const house = await client.make('houses');
      const of = { house: { data: { type: 'houses', id: house.id } } };
      const rooms = [await client.make('rooms', {}, of), await client.make('rooms', {}, of)];
      const places = [...rooms, house].map(({ type, id }) => ({ type, id }));
      const world = new World(`given${run}`, groups, places);
      await world.begin(given);
      const first: Step = { kind: 'create', by: 0, from: 1, team: [2, 3], in: 0 };
      for (const each of [first, { ...first, by: null, from: 4, team: [0] }, ...steps]) {
        await world.take(each);
        await world.check();
      }
      await world.checkEach();
    }),
    { numRuns: few(20), seed: 17, endOnFailure: true },
  );
  // It was about something.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(scaled(5));
});
