/** A project that `foredge dev` follows: what is wrong in its files stands above every page until it is mended. */
import { afterAll, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { entered, expectAccessible } from '../../support/dashboard.ts';
import { followed } from '../../support/followed.ts';

const browser = useBrowser();

const service = await followed();
afterAll(() => service.stop());

test('a fault is told with file and line, without a reload, and goes when it is mended', async () => {
  const { client, project } = service;
  const page = await entered(browser, client);
  const text = project.read('types/articles.json');
  project.write('types/articles.json', text.replace('"rights"', '"right"'));
  const fault = page.getByRole('status').filter({ hasText: 'not pushed' });
  await fault.getByText(/foredge\/types\/articles\.json:5:/).waitFor();
  await expectAccessible(page);
  project.write('types/articles.json', text);
  await fault.waitFor({ state: 'detached' });
});

test('pages of other origins learn nothing of the files', async () => {
  const { url } = service.client;
  const { meta } = (await (await fetch(`${url}/development`)).json()) as { meta: { project: unknown } };
  expect(meta.project).toEqual({ fault: null });
  const other = await fetch(`${url}/development`, { headers: { origin: 'https://example.org' } });
  expect(await other.json()).toMatchObject({ meta: { project: null } });
});
