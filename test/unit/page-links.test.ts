/** The links of a page by cursor: where the next page begins. */
import { expect, test } from 'vitest';
import { listPageOf, pageLinks } from '../../src/modules/documents/answer/paging.ts';
import { contextOf } from '../support/exchange.ts';

const listed = { condition: '', sort: [] };
const extent = { total: 3, documents: [] };

function asking(after: string | null) {
  const { query } = contextOf();
  return contextOf({ query: { ...query, page: { style: 'cursor', after, size: 2, counted: true } } });
}

test.each([
  ['begins after the cursor that the collection gives', 'a cursor', true, 'a cursor'],
  ['begins at the start, where every document of the page changed meanwhile', null, true, null],
])('the next page %s', async (_, next, more, begins) => {
  const links = await pageLinks(asking(null), listed, { ...extent, more, next });
  if (typeof links.next !== 'string') expect.fail();
  const after = new URL(links.next).searchParams.get('page[after]');
  const page = await listPageOf(asking(after === '' ? null : after), listed);
  expect(page).toMatchObject({ ok: true, value: { after: begins } });
});

test('there is no next page where nothing follows', async () => {
  const links = await pageLinks(asking(null), listed, { ...extent, more: false, next: null });
  expect(links).toMatchObject({ prev: null, next: null });
  expect(links.first).toMatch(/page%5Bafter%5D=&/);
});
