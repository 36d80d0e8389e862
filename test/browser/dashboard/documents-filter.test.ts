/** The filter bar in a real browser: what it completes, the address it makes, and what the service says of it. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible, goTo } from '../../support/dashboard.ts';
import { loadCars } from '../../support/demo.ts';

const browser = useBrowser();

let client: Client;
beforeAll(async () => {
  client = await Client.create();
  await loadCars(client);
});

async function opened(query = ''): Promise<Page> {
  const page = await entered(browser, client, `#/documents/cars${query}`);
  await page.getByText(/^\d+ documents?( match)?$/).waitFor();
  return page;
}

const bar = (page: Page) => page.getByRole('combobox', { name: 'Filter' });
const address = (page: Page) => page.getByLabel('Address of this list');

/** Types a condition and enters it. */
async function type(page: Page, text: string): Promise<void> {
  await bar(page).fill(text);
  await bar(page).press('Enter');
}

test('fields, operators and values are completed, by keys alone', async () => {
  const page = await opened();
  await page.keyboard.press('/');
  await page.keyboard.type('cyl');
  await page.getByRole('option', { name: /^cylinders/ }).waitFor();
  await page.keyboard.press('Tab');
  expect(await bar(page).inputValue()).toBe('cylinders ');
  await page.keyboard.type('at least');
  await page.getByRole('option', { name: /\$gte/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await bar(page).inputValue()).toBe('cylinders $gte ');
  await page.getByRole('option', { name: '8', exact: true }).waitFor();
  await page.keyboard.type('8');
  await page.keyboard.press('Enter');
  await page.getByText('108 documents match').waitFor();
  expect(await address(page).innerText()).toBe(`${client.url}/resources/cars?filter[cylinders]={"$gte":8}`);
});

test('what a schema names is completed before any document has it', async () => {
  const own = await Client.create();
  const content = { properties: { attributes: { properties: { isbn: { type: 'string' } } } } };
  await own.post('/schemas/core.schema', {
    data: { type: 'core.schema', attributes: { target: 'books', content } },
  });
  const page = await entered(browser, own, '#/documents/books');
  await bar(page).fill('is');
  await page.getByRole('option', { name: 'isbn string' }).waitFor();
});

describe('a condition', () => {
  const MEANT = [
    ['cylinders = 3', 'filter[cylinders]=3', '4 documents match'],
    ['cylinders $in 3, 5', 'filter[cylinders]={"$in":[3,5]}', '7 documents match'],
    ['name ~ /^BUICK/i', 'filter[name]={"$regex":"^BUICK","$options":"i"}', '17 documents match'],
    ['year>1981-06-01', 'filter[year]={"$gt":{"$date":"1981-06-01"}}', '61 documents match'],
    ['milesPerGallon exists false', 'filter[milesPerGallon]={"$exists":false}', '8 documents match'],
    ['skylark', 'filter[*]={"$text":{"$search":"skylark"}}&sort=-$score', '4 documents match'],
    [
      '{"$or": [{"cylinders": 3}, {"cylinders": 5}]}',
      'filter[*]={"$or": [{"cylinders": 3}, {"cylinders": 5}]}',
      '7 documents match',
    ],
  ] as const;

  test('is a parameter of the address', async () => {
    const page = await opened();
    for (const [text, parameter, found] of MEANT) {
      await type(page, text);
      await page.getByText(found, { exact: true }).waitFor();
      expect(await address(page).innerText(), text).toBe(`${client.url}/resources/cars?${parameter}`);
      await goTo(page, '#/documents/cars');
      await page.getByText('406 documents', { exact: true }).waitFor();
    }
  });

  test('stands in the address of the page, and is there after a reload', async () => {
    const page = await opened();
    await type(page, 'cylinders = 3');
    await page.getByText('4 documents match').waitFor();
    await page.reload();
    await page.getByText('4 documents match').waitFor();
    await page.getByRole('button', { name: 'Change the condition cylinders = 3' }).waitFor();
  });

  test('is changed by a click, removed by another, and several must all hold', async () => {
    const page = await opened();
    await type(page, 'cylinders = 4');
    await page.getByText('207 documents match').waitFor();
    await type(page, 'pounds < 1800');
    await page.getByText(/^\d{1,2} documents match$/).waitFor();
    await page.getByRole('button', { name: 'Change the condition cylinders = 4' }).click();
    expect(await bar(page).inputValue()).toBe('cylinders $eq 4');
    await type(page, 'cylinders $eq 3');
    await page.getByText('No documents match.').waitFor();
    await page.getByRole('button', { name: 'Remove the condition pounds < 1800' }).click();
    await page.getByText('4 documents match').waitFor();
    await bar(page).press('Backspace');
    expect(await bar(page).inputValue()).toBe('cylinders $eq 3');
    await page.getByText('406 documents', { exact: true }).waitFor();
  });

  test('keeps its kind when it is changed, though no document shows it', async () => {
    const page = await opened(`?filter[year]=${encodeURIComponent('{"$gt":{"$date":"2050-01-01"}}')}`);
    await page.getByText('No documents match.').waitFor();
    await page.getByRole('button', { name: 'Change the condition year > 2050-01-01' }).click();
    expect(await bar(page).inputValue()).toBe('year $gt {"$date":"2050-01-01"}');
  });

  test('that the service refuses says why, where it stands', async () => {
    const page = await opened();
    await type(page, '{"cylinders": {"$above": 3}}');
    await page.getByRole('alert').getByText('There is no operator $above').waitFor();
    expect(browser.troubles()).toEqual([expect.stringMatching(/400/)]);
    await expectAccessible(page);
    browser.troubles();
  });

  test('that may be meant otherwise is told', async () => {
    const page = await opened('?filter[cylindres]=3');
    await page.getByText('Did you mean cylinders?').waitFor();
    await page.getByText('No documents match.').waitFor();
  });
});

test('a way back from a document leads to the table as it was', async () => {
  const page = await opened('?filter[cylinders]=3&sort=-year');
  await page.getByRole('table', { name: 'Documents of cars' }).getByRole('link').first().click();
  await page.getByRole('main').getByRole('link', { name: 'cars', exact: true }).click();
  await page.getByText('4 documents match').waitFor();
  expect(await address(page).innerText()).toContain('sort=-year');
});

test('a click on the way back counts, though the document comes in the middle of it', async () => {
  const page = await opened('?filter[cylinders]=3&sort=-year');
  const reading = Promise.withResolvers<undefined>();
  await page.route(/\/resources\/cars\/[0-9a-f]{24}$/, async (sent) => {
    await reading.promise;
    await sent.continue();
  });
  await page.getByRole('table', { name: 'Documents of cars' }).getByRole('link').first().click();
  await page.getByText('Loading the document…').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'cars', exact: true }).hover();
  await page.mouse.down();
  reading.resolve(undefined);
  await page.getByRole('tab', { name: 'Form' }).waitFor();
  await page.mouse.up();
  await page.getByText('4 documents match').waitFor();
});

test('the address can be copied, as a program needs it', async () => {
  const page = await opened('?filter[cylinders]={"$gte":8}');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the address' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  const answer = await client.get(copied);
  expect([answer.status, answer.body.meta.count]).toEqual([200, 108]);
});

test('conditions mean what they say', async () => {
  const client = await Client.create();
  await client.make('orders', { city: 'Berlin', paid: true, address: { zip: '10005' }, note: 'a blue kite' });
  await client.make('orders', {
    city: 'Berlin',
    paid: false,
    address: { zip: '10115' },
    note: 'a blue boat',
  });
  await client.make('orders', { city: 'Ulm', paid: true, address: { zip: '89073' }, note: 'a red kite' });
  const page = await entered(browser, client, '#/documents/orders');
  await page.getByText('3 documents').waitFor();
  const filter = page.getByRole('combobox', { name: 'Filter' });
  const only = async (typed: string) => {
    await filter.fill(typed);
    await filter.press('Enter');
    await page.getByText('1 document match').waitFor();
    const removes = page.getByRole('button', { name: /^Remove the condition/ });
    while ((await removes.count()) > 0) await removes.first().click();
    await page.getByText('3 documents').waitFor();
  };
  // The digits are those of a string: documents have shown it.
  await only('address.zip = 10005');
  await only('city = Berlin and paid = true');
  await only('blue kite');
  await filter.fill('city =');
  await filter.press('Enter');
  await page.getByText('Type a value to compare with.').waitFor();
});
