/** Pushes of schemas: the order of the changes decides, not that of their arrival. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { Schemas } from '../../src/collection/storage/schemas.ts';
import { storageOf } from '../support/local-collection.ts';
import { packContent } from '../../src/domain/values/stored.ts';
import { idOf } from '../support/names.ts';

const requiring = (name: string) => ({
  id: idOf('1'.repeat(24)),
  content: JSON.stringify({ properties: { attributes: { required: [name] } } }),
});

test.each([
  ['an older push that comes late changes nothing', 6, 'b'],
  ['the same push again changes nothing', 7, 'b'],
  ['a newer one replaces it', 8, 'a'],
])('%s', (_, number, required) => {
  const database = new DatabaseSync(':memory:');
  const sql = storageOf(database);
  migrate(sql);
  const schemas = new Schemas(sql);
  schemas.replace(7, [requiring('b')]);
  schemas.replace(number, [requiring('a')]);
  const lacking = ['a', 'b'].filter((name) => {
    const content = packContent({ attributes: { [name === 'a' ? 'b' : 'a']: 1 }, relationships: {} });
    return !schemas.check(content, null).ok;
  });
  expect(lacking).toEqual([required]);
  database.close();
});
