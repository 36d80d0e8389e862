/** The table of documents, as tests look at it. */
import type { Page } from 'playwright-core';

export const table = (page: Page, type: string) => page.getByRole('table', { name: `Documents of ${type}` });

/** The rows of documents that are in the page. */
export const rows = (page: Page, type = 'cars') => table(page, type).locator('tbody tr[aria-rowindex]');

/** The texts of a column in the first rows. */
export async function column(
  page: Page,
  name: string,
  count: number,
  type = 'cars',
): Promise<readonly string[]> {
  const heads = await table(page, type).getByRole('columnheader').allInnerTexts();
  const at = heads.findIndex((head) => head.trim() === name);
  const cells = await rows(page, type)
    .locator(`td:nth-child(${at + 1})`)
    .allInnerTexts();
  return cells.slice(0, count);
}
