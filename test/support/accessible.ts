/** Faults of accessibility that axe finds in a page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** The small form: it goes to each page, which compiles it anew. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What does not fail is not gathered: it is far more, and all of it would come out of the browser. */
const RUN = `axe.run(SCOPE, { resultTypes: ['violations'], ...RULES }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ' ' + nodes[0]?.html))`;

/** The faults of a page, or of the part that a selector names; by some rules alone, if they are given. */
export async function accessibilityFaults(
  page: Page,
  scope?: string,
  rules?: readonly string[],
): Promise<readonly string[]> {
  if (await page.evaluate<boolean>(`typeof axe === 'undefined'`)) await page.evaluate(`${AXE};undefined`);
  return page.evaluate<readonly string[]>(
    RUN.replace('SCOPE', scope === undefined ? 'document' : JSON.stringify(scope)).replace(
      'RULES',
      JSON.stringify(rules === undefined ? {} : { runOnly: rules }),
    ),
  );
}
