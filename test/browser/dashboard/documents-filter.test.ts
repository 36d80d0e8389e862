/** The filter bar in a real browser: what it completes, the address it makes, and what the service says of it. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible, goTo, placeTold } from '../../support/dashboard.ts';
import { loadCars } from '../../support/demo.ts';
import { makeSchema } from '../../support/type-settings.ts';

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

test('fields, operators and values are offered as one types, and the address can be copied', async () => {
  const page = await opened();
  const offered = (text: string) => page.locator(`option[value="${text}"]`).waitFor({ state: 'attached' });
  await page.keyboard.press('/');
  await offered('cylinders ');
  await page.keyboard.type('cylinders ');
  await offered('cylinders $gte ');
  await page.keyboard.type('$gte ');
  await offered('cylinders $gte 8');
  await page.keyboard.type('8');
  await page.keyboard.press('Enter');
  await page.getByText('108 documents match').waitFor();
  expect(await address(page).innerText()).toBe(`${client.url}/resources/cars?filter[cylinders]={"$gte":8}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the address' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const answer = await client.get(await page.evaluate<string>('navigator.clipboard.readText()'));
  expect([answer.status, answer.body.meta.count]).toEqual([200, 108]);
  // Also those that only a schema names.
  await makeSchema(client, 'cars', { attributes: { properties: { isbn: { type: 'string' } } } });
  await page.reload();
  await bar(page).focus();
  await offered('isbn ');
});

describe('a condition', () => {
  const MEANT = [
    ['cylinders = 3', 'filter[cylinders]=3', '4 documents match'],
    ['cylinders $in 3, 5', 'filter[cylinders]={"$in":[3,5]}', '7 documents match'],
    ['name ~ /^BUICK/i', 'filter[name]={"$regex":"^BUICK","$options":"i"}', '17 documents match'],
    ['year>1981-06-01', 'filter[year]={"$gt":{"$date":"1981-06-01"}}', '61 documents match'],
    ['milesPerGallon exists false', 'filter[milesPerGallon]={"$exists":false}', '8 documents match'],
    [
      'cylinders = 3 or cylinders = 5',
      'filter[*]={"$or":[{"cylinders":3},{"cylinders":5}]}',
      '7 documents match',
    ],
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

  test('is there after a reload, changed by a click, removed by another, and several must all hold', async () => {
    const page = await opened();
    await type(page, 'cylinders = 4');
    await page.getByText('207 documents match').waitFor();
    await page.reload();
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

  test('that the service refuses says why, where it stands, and one that may be meant otherwise', async () => {
    const page = await opened();
    await type(page, '{"cylinders": {"$above": 3}}');
    const refused = page.getByRole('alert').filter({ hasText: 'There is no operator $above' });
    await placeTold(refused, 'filter[*]/cylinders/$above');
    browser.expects(/400/);
    await expectAccessible(page);
    await goTo(page, '#/documents/cars?filter[cylindres]=3');
    await page.getByText('Did you mean cylinders?').waitFor();
    await page.getByText('No documents match.').waitFor();
  });
});

test('the way back leads to the table as it was, though the document comes in the middle of the click', async () => {
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
  expect(await address(page).innerText()).toContain('sort=-year');
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

test('a condition of another kind than the field has is offered as that, with what it finds', async () => {
  const client = await Client.create();
  for (const zip of ['10005', '10005', '89073'])
    await client.make('orders', { zip, at: { $date: '2026-05-04' } });
  for (const [condition, offer] of [
    ['filter[zip]=10005', 'As text: 2'],
    ['filter[at]={"$gt":"2026-01-01"}', 'As a date: 3'],
  ] as const) {
    const page = await entered(browser, client, `#/documents/orders?${condition}`);
    await page.getByText('No documents match.').waitFor();
    await page.getByRole('button', { name: offer }).click();
    await page.getByText(`${offer.slice(-1)} documents match`).waitFor();
  }
});

test('a form writes the filter and its JSON, and the JSON writes the form', async () => {
  const page = await opened('?filter[cylinders]=3');
  const form = page.getByRole('dialog', { name: 'Filter' });
  const open = () => page.getByRole('button', { name: 'Form' }).click();
  const block = (number: number) => form.getByRole('group', { name: `Condition ${number}` });
  const json = form.getByLabel('The filter as JSON');
  await open();
  expect(await block(1).getByLabel('Field').inputValue()).toBe('cylinders');
  await form.getByRole('button', { name: 'Or, in condition 1' }).click();
  await block(1).getByLabel('Field').nth(1).fill('cylinders');
  await block(1).getByLabel('Value').nth(1).fill('5');
  await form.getByRole('button', { name: 'And…' }).click();
  await block(2).getByLabel('Field').fill('year');
  await block(2).getByLabel('Operator').selectOption('$gte');
  await block(2).getByLabel('As').selectOption('date');
  await block(2).getByLabel('Value').fill('1978-01-01T00:00');
  await json.getByText('$date').waitFor();
  expect(await json.textContent()).toContain('"$or"');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByText('4 documents match').waitFor();
  await open();
  await json.fill('{"$or": [{"cylinders": 3}, {"cylinders": 5}], "name": {"$regex": "audi"}}');
  await expect.poll(() => block(2).getByLabel('Operator').inputValue()).toBe('$regex');
  expect(await block(1).getByLabel('Value').nth(1).inputValue()).toBe('5');
  expect(await block(2).getByLabel('Value').inputValue()).toBe('audi');
  await form.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByText('2 documents match').waitFor();
  await page.getByRole('button', { name: 'Change the condition name ~ audi' }).waitFor();
});
