/**
 * Somebody in very many groups: what they cost goes by those that hold rights in a collection, a search by their holder
 * lets others in as often as any, and there are bounds to how many there are.
 */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { Memory } from '../../src/collection/storage/caching/answer-cache.ts';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { splitDocuments, unpackDocuments } from '../../src/collection/rpc/packing/packing.ts';
import { Reads } from '../../src/collection/reads.ts';
import { ReadableCounts } from '../../src/collection/search/reading/readable-reader.ts';
import { SearchReader } from '../../src/collection/search/reading/reader.ts';
import { Transactor } from '../../src/collection/write/transactor.ts';
import type { Link } from '../../src/domain/documents.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { parseFilter } from '../../src/operators/filter/parse.ts';
import fc from '../support/fast-check.ts';
import { LocalCollection, storageOf } from '../support/local-collection.ts';
import { packContent } from '../../src/domain/values/stored.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import { holdersOf } from '../../src/domain/rights.ts';
import { CORE } from '../../src/domain/types.ts';
import { fieldOf, idOf, typeOf } from '../support/names.ts';

const TRUSTED = { viewer: null, rule: null, ifMatch: null };
const GROUPS = Array.from({ length: 1000 }, (_, index) => `core.user-group ${index}`);
const ME = 'core.user me';
const NOTES = typeOf('notes');
const CHANNELS = typeOf('channels');

let sql: SqlStorage;
let tables: Transactor;
beforeEach(() => {
  sql = storageOf(new DatabaseSync(':memory:'));
  migrate(sql);
  tables = new Transactor(sql);
});

function make(owners: readonly string[] = []): DocumentId {
  const content = packContent({ attributes: {}, relationships: {} });
  const made = tables.create(NOTES, { content, owners, ownsItself: false, rule: null }, 1);
  return made.ok ? made.value.document.id : expect.fail();
}

describe('of the identities of a viewer only those count that hold the right here', () => {
  const narrowed = () => tables.rights.narrow(['*', ME, ...GROUPS], 'read');
  const share = (id: DocumentId, read: readonly string[]) => {
    expect(tables.updateAcl(NOTES, id, 'acl', { read }, TRUSTED).ok).toBe(true);
  };

  test('as rights come and go', () => {
    const id = make();
    expect(narrowed()).toEqual([]);
    share(id, [ME, 'core.user-group 7', 'core.user other']);
    expect(narrowed()).toEqual([ME, 'core.user-group 7']);
    share(id, ['core.user-group 8']);
    expect(narrowed()).toEqual(['core.user-group 8']);
    const other = make(['core.user-group 8']);
    expect(tables.remove(NOTES, id, TRUSTED).ok).toBe(true);
    expect(narrowed()).toEqual(['core.user-group 8']);
    expect(tables.remove(NOTES, other, TRUSTED).ok).toBe(true);
    expect(narrowed()).toEqual([]);
  });

  test('also when a change is undone', () => {
    const id = make([ME]);
    expect(narrowed()).toEqual([ME]);
    sql.exec('BEGIN');
    share(id, ['core.user-group 7']);
    expect(narrowed()).toEqual(['core.user-group 7']);
    sql.exec('ROLLBACK');
    tables.load();
    expect(narrowed()).toEqual([ME]);
  });
});

test('which documents a viewer may read, and how many, is right after each change of rights, cached or not', () => {
  tables = new Transactor(sql, { part: 2 });
  const counts = new ReadableCounts(tables.dirtyRanges);
  // One more than are merged.
  const identities = ['*', ME, ...[1, 2, 3].map((n) => `core.user-group ${n}`)];
  const naive = (viewer: readonly string[], documents: readonly DocumentId[]) =>
    documents
      .flatMap((id) => tables.records.seqOf(id) ?? [])
      .filter((seq) => tables.rights.has(viewer, 'read', seq))
      .sort((one, other) => one - other);
  const step = fc.record({
    at: fc.nat(40),
    read: fc.subarray(identities),
    gone: fc.boolean(),
    viewer: fc.oneof(fc.constant(identities), fc.subarray(identities, { minLength: 1 })),
    offset: fc.nat(20),
  });
  const all = Array.from({ length: 41 }, () => make());
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      for (const { at, read, gone, viewer, offset } of steps) {
        const id = all[at] ?? expect.fail();
        if (gone) {
          expect(tables.remove(NOTES, id, TRUSTED).ok).toBe(true);
          all[at] = make(read);
        } else expect(tables.updateAcl(NOTES, id, 'acl', { read }, TRUSTED).ok).toBe(true);
        const reader = new SearchReader(sql, counts);
        const page = () => reader.seqs(reader.readable.page(viewer, { after: 0, limit: 3, offset }));
        const expected = naive(viewer, all);
        expect(page()).toEqual(expected.slice(offset, offset + 3));
        expect(reader.readable.count(viewer)).toBe(expected.length);
        expect(page()).toEqual(expected.slice(offset, offset + 3));
      }
    }),
  );
});

describe('a viewer of many identities', () => {
  test('reads several documents in the order of creation, and only those that it may', async () => {
    const ids = Array.from({ length: 130 }, (_, index) =>
      make(index % 3 === 0 ? [`core.user-group ${index}`] : []),
    );
    const reads = new Reads(tables, new Memory());
    let pauses = 0;
    const pause = () => {
      pauses += 1;
      return Promise.resolve();
    };
    const asked = { ids: [...ids].reverse(), viewer: GROUPS, rule: null, limit: 1000, units: 1e6 };
    const read = await reads.readMany(asked, pause);
    expect(unpackDocuments(read.documents).map(({ id }) => id)).toEqual(
      ids.filter((_, index) => index % 3 === 0),
    );
    expect(pauses).toBeGreaterThan(1);
    const few = await reads.readMany({ ...asked, limit: 10 }, pause);
    expect(few.complete).toBe(false);
    expect(splitDocuments(few.documents)).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5, 40])(
    'pages in the order of creation, with %i that hold rights',
    async (count) => {
      const collection = new LocalCollection();
      const holders = Array.from({ length: 60 }, (_, n) => GROUPS.slice(n % 7, (n % 7) + (n % 4)));
      const ids = holders.map((owners, n) => collection.create({ n }, owners));
      const viewer = [ME, ...GROUPS.slice(0, count)];
      const readable = ids.filter((_, n) => holders[n]?.some((each) => viewer.includes(each)));
      const everything = parseFilter([]);
      if (!everything.ok) expect.fail();
      for (let offset = 0; offset < readable.length + 3; offset += 3) {
        const page = { offset, limit: 3 };
        const { documents, total } = await collection.list(everything.value, page, { viewer });
        expect([total, ...documents.map(({ id }) => id)]).toEqual([
          readable.length,
          ...readable.slice(offset, offset + 3),
        ]);
      }
      collection.close();
    },
  );

  test('lets others in while it searches', async () => {
    const collection = new LocalCollection();
    for (let index = 0; index < 2_000; index += 1)
      collection.create({ n: index % 7 }, GROUPS.slice(index % 100, (index % 100) + 2));
    const condition = parseFilter([{ field: null, text: '{"n":{"$ne":3}}' }]);
    if (!condition.ok) expect.fail();
    const search = async (viewer: readonly string[]) => {
      let pauses = 0;
      const pause = () => (pauses += 1);
      const { total } = await collection.list(condition.value, { offset: 0, limit: 5 }, { viewer, pause });
      return { pauses, total };
    };
    const all = await search(GROUPS);
    expect(all.total).toBe(
      Array.from({ length: 2_000 }, (_, index) => index % 7).filter((n) => n !== 3).length,
    );
    // Some hundred documents at a time, rather than thousands.
    expect(all.pauses).toBeGreaterThan(15);
    expect((await search([GROUPS[0] ?? ''])).pauses).toBeLessThan(5);
    collection.close();
  });
});

describe('through links', () => {
  /** The statements of a list of 20 of 400 messages, which somebody reads through so many channels. */
  async function statements(channels: number): Promise<number> {
    let count = 0;
    const collection = new LocalCollection({}, () => (count += 1));
    const ids = Array.from({ length: channels }, (_, n) => idOf(n.toString(16).padStart(24, '0')));
    for (let n = 0; n < 400; n += 1)
      collection.create({ n }, [
        holdersOf({ type: CHANNELS, id: ids[n % channels] ?? expect.fail() }, 'read'),
      ]);
    const { inherited, records, rights } = collection.tables;
    inherited.need([CHANNELS]);
    const documents = ids.map((id) => ({ id, rows: [`read ${ME}`] }));
    const told = { anew: true, documents, cursor: { at: 1, seq: null }, more: false, until: null };
    inherited.take(CHANNELS, told, () => records.nextVersion());
    const everything = parseFilter([]);
    if (!everything.ok) expect.fail();
    const page = { offset: 0, limit: 20 };
    count = 0;
    const viewer = rights.narrow([ME], 'read');
    const { total } = await collection.list(everything.value, page, { viewer });
    expect(total).toBe(400);
    collection.close();
    return count;
  }

  test.each([1, 20, 200])(
    'a list takes eight statements at most, also through %i channels',
    async (channels) => {
      expect(await statements(channels)).toBeLessThanOrEqual(8);
    },
  );
});

describe('groups are bounded', () => {
  const user = (index: number): Link => ({ type: CORE.user, id: idOf(index.toString(16).padStart(24, '0')) });
  const group = (users: readonly Link[]) => packContent({ attributes: {}, relationships: { users } });
  const create = (users: readonly Link[]) =>
    tables.create(CORE.userGroup, { content: group(users), owners: [], ownsItself: false, rule: null }, 1);
  const update = (id: DocumentId, users: readonly Link[]) =>
    tables.update(CORE.userGroup, id, { kind: 'merge', content: group(users) }, TRUSTED, null);
  const users = (count: number) => Array.from({ length: count }, (_, index) => user(index));
  const REFUSED = {
    ok: false,
    problems: [{ code: 'invalid-relationship', source: { pointer: '/data/relationships/users/data' } }],
  };

  test('in members', () => {
    const made = create(users(LIMITS.groupMembers));
    if (!made.ok) expect.fail();
    const { id } = made.value.document;
    expect(create(users(LIMITS.groupMembers + 1))).toMatchObject(REFUSED);
    expect(update(id, users(LIMITS.groupMembers + 1))).toMatchObject(REFUSED);
    const add = { kind: 'add-links', name: fieldOf('users'), linkage: [user(99_999)] } as const;
    expect(tables.update(CORE.userGroup, id, add, TRUSTED, null)).toMatchObject(REFUSED);
    expect(update(id, users(LIMITS.groupMembers - 1)).ok).toBe(true);
    expect(tables.update(CORE.userGroup, id, add, TRUSTED, null).ok).toBe(true);
    expect(tables.members.groupsOf('core.user 00000000000000000001869f')).toEqual([id]);
  });

  test('in groups of one identity; who is in one stays', () => {
    const ids = Array.from({ length: LIMITS.groupsOfIdentity }, () => {
      const made = create([user(1)]);
      return made.ok ? made.value.document.id : expect.fail();
    });
    expect(create([user(2), user(1)])).toMatchObject(REFUSED);
    expect(update(ids[0] ?? idOf(''), [user(1), user(2)]).ok).toBe(true);
    expect(update(ids[0] ?? idOf(''), [user(2)]).ok).toBe(true);
    expect(create([user(1)]).ok).toBe(true);
    expect(create([user(1)])).toMatchObject(REFUSED);
  });

  test('what is beyond from before is read, and shrinks', () => {
    const made = create([user(1)]);
    if (!made.ok) expect.fail();
    const { id } = made.value.document;
    const many = users(LIMITS.groupMembers + 10);
    const { body } = group(many);
    sql.exec('UPDATE documents SET body = jsonb(?)', body);
    for (const { type, id: member } of many)
      sql.exec('INSERT OR IGNORE INTO members VALUES (?, 1)', `${type} ${member}`);
    expect(update(id, many.slice(0, -1)).ok).toBe(true);
    expect(update(id, many)).toMatchObject(REFUSED);
  });
});
