/** Aggregates in the dashboard: a pipeline stage by stage on real data, its result, and how it is saved. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { button, entered, expectAccessible, goTo, placeTold } from '../../support/dashboard.ts';

const browser = useBrowser();

const table = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const GROUP = { group: { id: '$genre', count: { $sum: 1 } } };
const HOSTILE = '<img src=x onerror="alert(1)">';

/** Five films, of which two are dramas, three comedies. */
async function films() {
  const client = await Client.create();
  for (const [index, genre] of ['drama', 'drama', 'comedy', 'comedy', 'comedy'].entries())
    await client.make('films', { genre, title: `Film ${index}`, tags: ['a', 'b'] });
  return client;
}

async function define(client: Client, pipeline: readonly unknown[], outputType = 'agt.genre') {
  const { status, body, text } = await client.create('/aggregates/core.aggregate', {
    attributes: { 'input-type': 'films', 'output-type': outputType, pipeline },
  });
  if (status !== 201) throw new Error(text);
  return body.data.id;
}

async function definitions(client: Client) {
  const { body } = await client.get('/aggregates/core.aggregate');
  return body.data.map(({ attributes }) => attributes?.['output-type']);
}

test('definitions are listed with what they read and make; the result of one is drawn as a chart', async () => {
  const client = await films();
  const id = await define(client, [GROUP, { sort: '-count' }]);
  const page = await entered(browser, client, '#/aggregates');
  await page.getByText('group → sort').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'agt.genre' }).click();
  await page.getByRole('heading', { name: 'agt.genre' }).waitFor();
  expect(page.url()).toContain(`#/aggregates/${id}`);
  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.getByRole('img', { name: 'A chart of count over 2 labels.' }).waitFor();
  await page.locator('.result-chart canvas').waitFor();
  await page.getByLabel('Drawn as').selectOption('lines');
  await expectAccessible(page);
});

test('a pipeline is written stage by stage, each beside what it makes of real data', async () => {
  const client = await films();
  const page = await entered(browser, client, '#/aggregates/new');
  await page.getByLabel('Input type').fill('films');
  await table(page, 'Documents of films').getByText('Film 4').waitFor();
  await page.getByLabel('Kind of stage').selectOption('unwind');
  await button(page, 'Add the stage').click();
  await page.getByLabel('Stage 1', { exact: true }).fill('{"unwind": "$tags"}');
  // Documents that have one id are told apart all the same.
  await page.getByText('10 documents').waitFor();
  // As outputs they may not be.
  await placeTold(page.getByRole('alert').first(), '422 pipeline-failed');
  browser.expects(/422/);
  await page.getByLabel('Kind of stage').selectOption('group');
  await button(page, 'Add the stage').click();
  await page.getByLabel('Stage 2', { exact: true }).fill(JSON.stringify(GROUP));
  await table(page, 'What leaves 2. group').getByRole('cell', { name: '6', exact: true }).waitFor();
  await table(page, 'Result').getByRole('cell', { name: 'comedy' }).waitFor();
  await expectAccessible(page);
  // Without its first stage, every film counts once.
  await button(page, 'Remove 1. unwind').click();
  await table(page, 'Result').getByRole('cell', { name: '3', exact: true }).waitFor();
  await page.getByLabel('Output type').fill('agt.genre');
  await button(page, 'Create').click();
  await page.getByRole('heading', { name: 'agt.genre' }).waitFor();
  const { body } = await client.get('/aggregates/agt.genre?sort=id');
  expect(body.data.map(({ id, attributes }) => [id, attributes])).toEqual([
    ['comedy', { count: 3 }],
    ['drama', { count: 2 }],
  ]);
});

test('a fault stands at the stage that it is about, and at its place in the editor', async () => {
  const client = await films();
  const id = await define(client, [{ filter: { genre: 'drama' } }, GROUP]);
  const page = await entered(browser, client, `#/aggregates/${id}`);
  await table(page, 'What leaves 2. group').waitFor();
  await page
    .getByLabel('Stage 2', { exact: true })
    .fill('{"group": {"id": "$genre", "count": {"$summ": 1}}}');
  const stage = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: '2. group' }) });
  await placeTold(stage.getByRole('alert'), '/data/attributes/pipeline/1');
  await stage.locator('.cm-lintRange-error').first().waitFor();
  // What only the data can show.
  await page.getByLabel('Stage 2', { exact: true }).fill('{"project": {"bad": {"$divide": ["$genre", 2]}}}');
  const other = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: '2. project' }) });
  await placeTold(other.getByRole('alert').first(), '422 pipeline-failed');
  await table(page, 'What leaves 1. filter').waitFor();
  browser.expects(/422/);
});

test('stages are moved and removed, and saved on the state that was read', async () => {
  const client = await films();
  const id = await define(client, [{ limit: 4 }, { sort: '-title' }, { skip: 1 }]);
  const page = await entered(browser, client, `#/aggregates/${id}`);
  // What does not read moves with its stage, and still hinders.
  await page.getByLabel('Stage 2', { exact: true }).fill('{"sort": "-title"');
  await button(page, 'Move 2. sort up').click();
  await expect
    .poll(() => page.getByLabel('Stage 1', { exact: true }).textContent())
    .toBe('{"sort": "-title"');
  expect(await button(page, 'Save').isDisabled()).toBe(true);
  await page.getByLabel('Stage 1', { exact: true }).fill('{"sort": "-title"}');
  await button(page, 'Remove 3. skip').click();
  const sent = page.waitForRequest((request) => request.method() === 'PATCH' && request.url().endsWith(id));
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  const request = await sent;
  expect(request.headers()['if-match']).toMatch(/^".+"$/);
  expect(request.postDataJSON()).toEqual({
    data: { type: 'core.aggregate', id, attributes: { pipeline: [{ sort: '-title' }, { limit: 4 }] } },
  });
});

test('a conflict of definitions is shown side by side', async () => {
  const client = await films();
  const id = await define(client, [{ limit: 4 }]);
  const page = await entered(browser, client, `#/aggregates/${id}`);
  await page.getByLabel('Stage 1', { exact: true }).fill('{"limit": 2}');
  await client.update(`/aggregates/core.aggregate/${id}`, { attributes: { pipeline: [{ limit: 3 }] } });
  await button(page, 'Save').click();
  await page.getByLabel('Yours of pipeline').check();
  await button(page, 'Save again').click();
  await page.getByText('Saved.').waitFor();
  const { body } = await client.get(`/aggregates/core.aggregate/${id}`);
  expect(body.data.attributes?.['pipeline']).toEqual([{ limit: 2 }]);
  browser.expects(/412/);
});

test('parameters have their defaults in the preview', async () => {
  const client = await films();
  const id = await define(client, [{ filter: { genre: 'drama' } }]);
  const page = await entered(browser, client, `#/aggregates/${id}`);
  await page.getByText('Parameters', { exact: true }).click();
  await page.getByLabel('Parameters', { exact: true }).fill('{"genre": "comedy"}');
  await page.getByLabel('Stage 1', { exact: true }).fill('{"filter": {"genre": "$$parameters.genre"}}');
  await table(page, 'Result').getByText('comedy').first().waitFor();
});

test('a preview goes when the page is left, after what was being stored, so neither of the two fails', async () => {
  const client = await films();
  const id = await define(client, [GROUP]);
  const page = await entered(browser, client, '#/aggregates');
  const held = Promise.withResolvers<undefined>();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') sent.push(request.url());
  });
  await page.route('**/core.aggregate/*', async (route) => {
    if (route.request().method() === 'PATCH') await held.promise;
    await route.fallback();
  });
  const changing = page.waitForRequest((request) => request.method() === 'PATCH');
  await goTo(page, `#/aggregates/${id}`);
  await changing;
  await goTo(page, '#/aggregates');
  await page.getByRole('heading', { name: 'Aggregates' }).waitFor();
  expect(sent).toEqual([]);
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
  held.resolve(undefined);
  expect((await deleted).status()).toBe(204);
  expect(await definitions(client)).toEqual(['agt.genre']);
});

test('a preview that was left is shown, and removed', async () => {
  const client = await films();
  await define(client, [GROUP], 'agt.preview-0123456789abcdef');
  const page = await entered(browser, client, '#/aggregates');
  await page.getByText('One preview is stored').waitFor();
  await button(page, 'Remove it').click();
  await page.getByText('Previews removed.').waitFor();
  expect(await definitions(client)).toEqual([]);
  await page.getByText('No aggregates yet.').waitFor();
});

test('a definition is deleted, and the deletion can be undone before', async () => {
  const client = await films();
  const id = await define(client, [GROUP]);
  const page = await entered(browser, client, `#/aggregates/${id}`);
  await button(page, 'Delete').click();
  await button(page, 'Undo').click();
  await button(page, 'Delete').click();
  await button(page, 'Delete now').click();
  await page.getByText('agt.genre was deleted.').waitFor();
  expect((await client.get(`/aggregates/core.aggregate/${id}`)).body.data).toBe(null);
});

test('text that is HTML stays text, in stages, in results and in the chart', async () => {
  const client = await Client.create();
  await client.make('films', { genre: HOSTILE, [HOSTILE.replace('.', '')]: 1 });
  const id = await define(client, [{ group: { id: '$genre', [HOSTILE]: { $sum: 1 } } }]);
  const page = await entered(browser, client, `#/aggregates/${id}`);
  await table(page, 'Result').getByRole('cell', { name: HOSTILE }).waitFor();
  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.locator('.u-legend').getByText(HOSTILE).waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  await goTo(page, '#/aggregates');
  await page.getByRole('heading', { name: 'Aggregates' }).waitFor();
});
