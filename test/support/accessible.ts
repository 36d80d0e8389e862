/** Faults of accessibility that axe finds in a page. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What does not fail is not gathered: it is far more, and all of it would come out of the browser. */
const RUN = `axe.run(SCOPE, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ' ' + nodes[0]?.html))`;

/** The faults of a page, or of the part that a selector names. */
export async function accessibilityFaults(page: Page, scope?: string): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<readonly string[]>(
    RUN.replace('SCOPE', scope === undefined ? 'document' : JSON.stringify(scope)),
  );
}
