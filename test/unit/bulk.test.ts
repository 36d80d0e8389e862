/** What a bulk write does with documents that changed between its search and its transaction. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Bulk } from '../../src/collection/write/lists/bulk.ts';
import { packContent } from '../../src/domain/values/stored.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import { storedId } from '../../src/domain/ids.ts';
import { TRUSTED } from '../../src/domain/rules.ts';
import { conditionOf } from '../support/conditions.ts';
import { typeOf } from '../support/names.ts';
import { LocalCollection } from '../support/local-collection.ts';

const USER = 'core.user/1';

let collection: LocalCollection;
let ids: readonly string[];
beforeEach(() => {
  collection = new LocalCollection();
  ids = [1, 2, 3].map((n) => collection.create({ n, open: true }, [USER]));
});
afterEach(() => {
  collection.close();
});

function bulkOf(how: 'change' | 'delete'): Bulk {
  const user = { viewer: [USER], rule: null };
  const content = packContent({ attributes: { done: true }, relationships: {} });
  return new Bulk(collection.tables, typeOf('place'), {
    condition: encodeText(conditionOf('{"open":true}')),
    hidden: [],
    reader: user,
    writer: user,
    limit: 10,
    change: how === 'delete' ? null : { kind: 'merge', content },
  });
}

/** All documents, as a search found them that looked now. */
const found = () =>
  ids.map((id) => {
    const id_ = storedId(id);
    return { id: id_, version: collection.tables.records.find(id_)?.version ?? 0 };
  });

const changes: readonly (readonly [string, (id: string) => void, number])[] = [
  ['nothing', () => undefined, 3],
  [
    'a change that keeps it in the filter',
    (id) => {
      collection.update(id, { n: 9 });
    },
    3,
  ],
  [
    'a change that takes it out of the filter',
    (id) => {
      collection.update(id, { open: false });
    },
    2,
  ],
  [
    'a deletion',
    (id) => {
      collection.remove(id);
    },
    2,
  ],
  [
    'the loss of the right to read it',
    (id) => {
      collection.share(id, []);
    },
    2,
  ],
  [
    'the loss of the rights to write it',
    (id) => {
      const rights = { update: [], delete: [] };
      const done = collection.tables.updateAcl(typeOf('place'), storedId(id), 'acl', rights, {
        ...TRUSTED,
        ifMatch: null,
      });
      expect(done.ok).toBe(true);
    },
    2,
  ],
];

describe.each(['change', 'delete'] as const)('a %s of many looks again at one after', (how) => {
  test.each(changes)('%s', (what, act, count) => {
    const bulk = bulkOf(how);
    const before = found();
    act(ids[1] ?? '');
    expect(bulk.write(before)).toBe(count);
    const bodies = ids.map((id) => collection.tables.records.find(storedId(id))?.body ?? '');
    const written = bodies.filter((body) => (how === 'change' ? body.includes('done') : body === ''));
    // The one that somebody else deleted is there no more either way.
    expect(written).toHaveLength(how === 'delete' && what === 'a deletion' ? 3 : count);
  });
});
