/** What is stored of aggregates: their groups, and nothing of what was asked for. */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { StoredGroups } from '../../src/collection/storage/secondary/stored-groups.ts';
import { DirtyRanges } from '../../src/collection/storage/dirty-ranges.ts';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { storageOf } from '../support/local-collection.ts';

const PERSON = 'ada@example.org';
const keyFor = (person: string) => `[{"filter":{"by":"$$parameters.by"}}] {"by":"${person}"}`;

let database: DatabaseSync;
let sql: SqlStorage;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  sql = storageOf(database);
});

const keys = () =>
  database
    .prepare('SELECT key FROM stored_aggregates')
    .all()
    .map(({ key }) => key);

/** The groups, as an object that has just woken up finds them. */
function awake(): StoredGroups {
  const groups = new StoredGroups(sql);
  groups.load();
  return groups;
}

describe('an aggregate whose groups are stored', () => {
  const put = (key: string, text: string) => {
    awake().put(key, [{ segment: 3, text, at: 0 }], new DirtyRanges(), Date.now());
  };
  beforeEach(() => {
    migrate(sql);
  });

  test('is known by a digest: no value of a parameter is in the tables', () => {
    put(keyFor(PERSON), '[1]');
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test('is told from one that was asked with another value', () => {
    put(keyFor(PERSON), '[1]');
    put(keyFor('bob'), '[2]');
    const groups = awake();
    expect([PERSON, 'bob', 'eve'].map((each) => groups.find(keyFor(each), 3))).toEqual(['[1]', '[2]', null]);
  });

  test('may be asked with any amount of text', () => {
    const long = 'x'.repeat(100_000);
    put(keyFor(long), '[1]');
    expect([awake().find(keyFor(long), 3), awake().find(keyFor(`${long}x`), 3)]).toEqual(['[1]', null]);
  });
});
