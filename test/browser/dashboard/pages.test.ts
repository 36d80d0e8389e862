/** Every page of the dashboard, as the operator sees it in an application in use: accessible, and without a fault. */
import type { Page, Request } from 'playwright-core';
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

/** Waits until all that a page asks for is answered, and what it shows of that asks for nothing more. */
async function settled(page: Page, asked: ReadonlySet<Request>): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const open = async () => {
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    return asked.size + (await page.getByText(/^Loading .*…$/).count());
  };
  await expect.poll(open).toBe(0);
}

test('each can be used with assistive technology, in light and dark, at 200 %, and on a telephone', async () => {
  const page = await enteredAsOperatorIn(browser, client, name, '');
  const asked = new Set<Request>();
  page.on('request', (request) => asked.add(request));
  const answered = (request: Request) => void asked.delete(request);
  page.on('requestfinished', answered);
  page.on('requestfailed', answered);
  const faults: string[] = [];
  // All in one page: it loads its program, and that which looks for faults, once.
  for (const { name: scene, route, act } of some(ENTERED, 4, 'dashboard')) {
    const look = async () => {
      await goTo(page, route(ids));
      await settled(page, asked);
      await act?.(page);
      await settled(page, asked);
      expect(await page.getByText('This page has failed').count()).toBe(0);
      await expectAccessible(page);
    };
    await look().catch((error: unknown) => faults.push(`${scene}: ${String(error)}`));
  }
  expect(faults).toEqual([]);
});

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
