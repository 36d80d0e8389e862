/** The comparison with other services (docs/comparison.md): tests hold what each row says is here; or it is absent. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/modules/endpoints.ts';

const PAGE = readFileSync('docs/comparison.md', 'utf8');

/** Tests that fail if a row's claim holds no more; where a row sends readers elsewhere, paths that are not here yet. */
const ROWS: Readonly<Record<string, { readonly here?: readonly string[]; readonly lacks?: RegExp }>> = {
  'an interface where editors work on content': { here: ['browser/dashboard/document'] },
  'changes pushed to thousands of clients of one type at once': { here: ['client/live'] },
  'an app that works offline and syncs later': { here: ['client/offline', 'client/offline-conflicts'] },
  'logins by phone': { lacks: /phone/ },
  'your own code beside the data': { here: ['http/webhooks'], lacks: /function|script/ },
  'SQL, or a database that you have already': { lacks: /sql/ },
  'documents at the edge, with rights on each, over JSON:API': {
    here: ['http/rights-oracle', 'http/documents'],
  },
  'values that come back exactly, and changes that never collide': {
    here: ['client/documents', 'http/etags'],
  },
};

/** What the rows of the page's lists are about. */
const named = Array.from(PAGE.matchAll(/^- \*\*([^*[]+?)\*\*:/gm), ([, name = '']) => name);

test('each row of the page is in the table, and no other', () => {
  expect(named).toEqual(Object.keys(ROWS));
});

test.each(Object.entries(ROWS))('%s: what it says is true', (row, { here = [], lacks }) => {
  expect(here.filter((name) => !existsSync(`test/${name}.test.ts`))).toEqual([]);
  const [line = ''] = PAGE.split(/\n(?=-|\n)/).filter((each) => each.startsWith(`- **${row}**`));
  // Readers are sent elsewhere only for what is not here.
  if (here.length > 0) expect(line).toContain('Foredge');
  if (lacks !== undefined) {
    expect(ENDPOINTS.map(({ path }) => path).filter((path) => lacks.test(path))).toEqual([]);
  }
});
