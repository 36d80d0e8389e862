/** Queries that were read before: the same text means to each endpoint what that endpoint takes. */
import { expect, test } from 'vitest';
import { readQuery } from '../../src/http/query.ts';
import type { ParameterFamily } from '../../src/modules/contents/parameters.ts';

const TAKES_PAGES: readonly ParameterFamily[] = ['page'];
const TAKES_FILTERS: readonly ParameterFamily[] = ['filter', 'page'];
const TAKES_NONE: readonly ParameterFamily[] = [];

test('a query that one endpoint has read is still unknown to another', () => {
  const search = '?page[limit]=5';
  const first = readQuery(search, TAKES_PAGES);
  expect(first).toMatchObject({ ok: true, value: { page: { limit: 5 } } });
  expect(readQuery(search, TAKES_NONE)).toMatchObject({
    ok: false,
    problems: [{ code: 'unknown-parameter' }],
  });
  expect(readQuery(search, TAKES_FILTERS)).toEqual(first);
  expect(readQuery(search, TAKES_PAGES)).toEqual(first);
});

test('links have the parameters encoded, and pages without those of the page', () => {
  const read = readQuery('?filter[a b]="ü"&page[limit]=5&page[offset]=10', TAKES_FILTERS);
  expect(read).toMatchObject({
    ok: true,
    value: {
      text: 'filter%5Ba%20b%5D=%22%C3%BC%22&page%5Blimit%5D=5&page%5Boffset%5D=10',
      unpaged: 'filter%5Ba%20b%5D=%22%C3%BC%22',
    },
  });
});
