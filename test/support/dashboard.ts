/** The dashboard in a real browser: entered as people do, and looked at for faults of accessibility. */
import type { Locator, Page } from 'playwright-core';
import { expect, inject, vi } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { accessibilityFaults } from './accessible.ts';
import { PATIENCE, type TestBrowser } from './browser.ts';
import { Client } from './client.ts';
import { isLong } from './long.ts';
import { PASSWORD } from './people.ts';

export const DASHBOARD = `${inject('url')}/dashboard`;

/** The control and the button of a page with just that name. */
export const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true });
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** Opens the editor of a cell by its pen, which is there under the pointer: a table that moves meanwhile hides it. */
export function openCell(cell: Locator, name: string): Promise<void> {
  return vi.waitFor(async () => {
    await cell.hover();
    await button(cell.page(), `Edit ${name}`).click({ timeout: 2_000 });
  }, PATIENCE);
}

/** Opens the door. */
export async function atDoor(browser: TestBrowser, url = inject('url')): Promise<Page> {
  const page = await browser.open(`${url}/dashboard`);
  await page.getByRole('heading', { name: 'Foredge' }).waitFor();
  return page;
}

type Entered = Pick<Client, 'application' | 'key'> & { readonly url?: string };

/** Writes a key into the door. */
export async function fillKey(page: Page, { application, key }: Omit<Entered, 'url'>): Promise<void> {
  await page.getByLabel('Application id').fill(application);
  await page.getByLabel('API key').fill(key);
}

/** What the tab keeps of a key: the door asks so what it permits. */
async function permitted({ application: id, key, url = inject('url') }: Entered, token?: string) {
  const authorization = token === undefined ? {} : { authorization: `Token ${token}` };
  const answer = await fetch(`${url}/permitted`, {
    headers: { 'application-id': id, 'api-key': key, ...authorization },
  });
  const { meta } = (await answer.json()) as { readonly meta?: { readonly lists?: readonly string[] } };
  return { id, key, lists: meta?.lists };
}

/** A tab that has entered already, as after a reload (the door itself: `enter.test.ts`), at a route. */
async function reopened(
  browser: TestBrowser,
  credentials: object,
  route: string,
  url = inject('url'),
): Promise<Page> {
  const stored = { foredge: JSON.stringify(credentials) };
  const page = await browser.open(`${url}/dashboard${route}`, { stored });
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return page;
}

/** In an application with a key, at a route (`#/documents/movies`). */
export async function entered(browser: TestBrowser, client: Entered, route = ''): Promise<Page> {
  return reopened(browser, { application: await permitted(client) }, route, client.url);
}

/** At the page of a document, which a new application has alone. */
export async function documentPage(browser: TestBrowser, type: string, attributes: unknown) {
  const client = await Client.create();
  const { id } = await client.make(type, attributes);
  return { client, id, page: await entered(browser, client, `#/documents/${type}/${id}`) };
}

/** In an application as a user, under a key that asks for one. */
export async function enteredAsUser(
  browser: TestBrowser,
  client: Omit<Entered, 'url'>,
  username: string,
  route: string,
): Promise<Page> {
  const { application, key } = client;
  const user = { token: '', refreshToken: null as string | null };
  const db = connect({
    ...{ url: inject('url'), application, key },
    onToken: (token, refreshToken) => Object.assign(user, { token, refreshToken }),
  });
  const { type, id } = await db.login({ username, password: PASSWORD });
  return reopened(
    browser,
    { application: await permitted(client, user.token), user: { type, id, name: username, ...user } },
    route,
  );
}

/** As the operator. */
export async function enteredAsOperator(
  browser: TestBrowser,
  route = '',
  { url, secret } = { url: inject('url'), secret: inject('operatorSecret') },
): Promise<Page> {
  return reopened(browser, { secret }, route, url);
}

/** As the operator, in an application. */
export async function enteredAsOperatorIn(
  browser: TestBrowser,
  client: Entered,
  name: string,
  route: string,
): Promise<Page> {
  const application = { ...(await permitted(client)), name };
  return reopened(browser, { secret: inject('operatorSecret'), application }, route);
}

/**
 * Leaves an application alone in the operator's table. Rows of before the search stay until its own come: a click that
 * meets them as they go hits nothing.
 */
export async function findApplication(page: Page, name: string): Promise<void> {
  const found = page.waitForResponse((response) => response.url().includes('filter'));
  await page.getByLabel('Search applications').fill(name);
  await found;
  const rows = page.getByRole('table', { name: 'Applications' }).locator('tbody tr');
  await rows.filter({ hasNotText: name }).first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name, exact: true }).first().waitFor();
}

export async function openApplication(page: Page, name: string): Promise<void> {
  await findApplication(page, name);
  await page.getByRole('button', { name, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** The place that an error names is not said before somebody asks for it. */
export async function placeTold(alert: Locator, place: string): Promise<void> {
  const told = alert.getByText(place).first();
  await told.waitFor({ state: 'attached' });
  expect(await told.isVisible()).toBe(false);
  await alert.getByText('Details').first().click();
  await told.waitFor();
}

export async function goTo(page: Page, route: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(route)}`);
}

const SCHEMES = isLong('dashboard') ? (['light', 'dark'] as const) : (['light'] as const);

/** What is wrong for assistive technology, in light and dark, and whether the page fits a telephone. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The other theme has other colors, and nothing else.
    const rules = colorScheme === SCHEMES[0] ? undefined : ['color-contrast'];
    expect(await accessibilityFaults(page, undefined, rules), `${page.url()} ${colorScheme}`).toEqual([]);
  }
  const size = page.viewportSize();
  // A laptop's window at 200 %, and a telephone.
  for (const width of [640, 390]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), page.url()).toBeLessThanOrEqual(
      width,
    );
  }
  if (size !== null) await page.setViewportSize(size);
}
