/** Every page of the dashboard, as the operator sees it in an application in use: accessible, and without a fault. */
import { beforeAll, expect, inject, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { some } from '../../support/long.ts';
import { enteredAsOperatorIn, expectAccessible, goTo } from '../../support/dashboard.ts';
import { prepare, type Ids } from '../../pictures/prepare.ts';
import { SCENES } from '../../pictures/scenes.ts';

const browser = useBrowser();
let name: string;
let client: Client;
let ids: Ids;
beforeAll(async () => {
  name = `looked at ${crypto.randomUUID()}`;
  client = await Client.create(name);
  await client.make('movies', { title: 'Dracula', imdb: 8, imdbVotes: 200_000, genre: 'Drama' });
  const credentials = { base_url: client.url, application_id: client.application, api_key: client.key };
  ids = await prepare(credentials, inject('operatorSecret'), 'https://foredge.example/hook');
});

const ENTERED = SCENES.filter(({ entered }) => entered !== 'nobody');

test.each(some(ENTERED, 4, 'dashboard').map((scene) => [scene.name, scene] as const))(
  '%s can be used with assistive technology, in light and dark, and on a telephone',
  async (_, { route, act }) => {
    const page = await enteredAsOperatorIn(browser, client, name, route(ids));
    await page.waitForLoadState('networkidle');
    await act?.(page);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('This page has failed').count()).toBe(0);
    await expectAccessible(page);
  },
);

test('on a telephone, there is room for the name of the application, and for what a page is for', async () => {
  const page = await enteredAsOperatorIn(browser, client, 'Full', '#/overview');
  await page.setViewportSize({ width: 390, height: 800 });
  const shown = page.getByRole('banner').getByText('Full', { exact: true });
  expect(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);

  // Buttons that leave no room for what a page is for stand below it.
  await goTo(page, '#/files');
  const [lead, button] = [
    page.getByText('Drop files anywhere'),
    page.getByRole('link', { name: 'As a table' }),
  ];
  await lead.waitFor();
  const bottomOf = async () =>
    (await lead.boundingBox().then((box) => box && box.y + box.height)) ?? Infinity;
  expect((await button.boundingBox())?.y).toBeGreaterThanOrEqual(await bottomOf());
});
