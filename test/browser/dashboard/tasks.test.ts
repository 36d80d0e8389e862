/** Tasks of people who work with the dashboard: each is done within a number of actions, among many documents. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, enteredAsOperator, enteredAsUser, goTo, openApplication } from '../../support/dashboard.ts';
import { isLong } from '../../support/long.ts';
import { add, operate } from '../../support/operations.ts';
import { makeUser, may, PASSWORD } from '../../support/people.ts';
import { fileOf } from '../../support/transfer-files.ts';
import { settle } from '../../support/type-settings.ts';

const browser = useBrowser();

const MANY = isLong('dashboard') ? 100_000 : 2_000;
const CUSTOMERS = 1000;

let shop: Client;
beforeAll(async () => {
  shop = await Client.create('shop of many');
  const names = Array.from({ length: CUSTOMERS }, (_, n) => add('customers', { name: `Customer ${n}` }));
  const { results } = await operate(shop, names);
  const linkOf = (n: number) => ({ data: { type: 'customers', id: results[n % CUSTOMERS]?.data?.id } });
  for (let at = 0; at < MANY; at += 1000) {
    const orders = Array.from({ length: 1000 }, (_, n) =>
      add('orders', { number: at + n, city: 'Berlin' }, { customer: linkOf(at + n) }),
    );
    expect((await operate(shop, orders)).status).toBe(200);
  }
}, 300_000);

/** A person at a page, whose actions are counted: a click, a text that is filled in, a choice, a key. */
class Person {
  actions = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: Locator | string) {
    this.actions += 1;
    await (
      typeof what === 'string' ? this.page.getByRole('button', { name: what, exact: true }) : what
    ).click();
  }

  link(name: string) {
    return this.click(this.page.getByRole('link', { name, exact: true }).first());
  }

  async fill(label: string, text: string) {
    this.actions += 1;
    await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  async press(key: string) {
    this.actions += 1;
    await this.page.keyboard.press(key);
  }

  async choose(label: string, option: string) {
    this.actions += 1;
    await this.page.getByLabel(label, { exact: true }).selectOption(option);
  }

  async drop(label: string, name: string, text: string) {
    this.actions += 1;
    await this.page.getByLabel(label, { exact: true }).setInputFiles(fileOf(text, name));
  }

  sees(text: string | RegExp) {
    return this.page.getByText(text).first().waitFor();
  }
}

interface Task {
  readonly most: number;
  readonly enter: () => Promise<Page>;
  readonly work: (person: Person) => Promise<void>;
}

const TASKS: Readonly<Record<string, Task>> = {
  'a type from nothing, with a schema and three documents': {
    most: 17,
    enter: async () => entered(browser, await Client.create()),
    work: async (person) => {
      await person.fill('Type', 'books');
      await person.fill('Value 1', 'Dracula');
      await person.click('Create');
      await person.link('Open the table of books');
      for (const title of ['Emma', 'Persuasion']) {
        await person.link('New document');
        await person.page.getByRole('heading', { name: 'A new document' }).waitFor();
        await person.fill('title', title);
        await person.fill('words', '90000');
        await person.click('Create');
        await person.page.waitForURL(/[0-9a-f]{24}$/);
      }
      await person.link('Schemas');
      await person.link('New schema');
      await person.fill('Type', 'books');
      await person.click('Draft from documents');
      await person.sees(/^Drafted from 3 documents/);
      await person.click('Create');
      await person.sees('The schema is made.');
    },
  },
  'a customer’s order among many is found and corrected': {
    most: 6,
    enter: () => entered(browser, shop),
    work: async (person) => {
      await person.link(`orders ${MANY.toLocaleString('en')} documents`);
      await person.fill('Filter', 'customer.name = "Customer 719"');
      await person.press('Enter');
      await person.sees(`${MANY / CUSTOMERS} documents match`);
      const cell = person.page.getByRole('cell', { name: 'Berlin' }).first();
      await cell.hover();
      await person.click(cell.getByRole('button', { name: 'Edit city' }));
      const editor = person.page.getByRole('textbox', { name: /^city of/ });
      await editor.fill('Hamburg');
      person.actions += 1;
      await person.press('Enter');
      await person.sees('city was changed.');
      const changed = await shop.get('/resources/orders?filter[city]=Hamburg&include=customer');
      expect(changed.body.included).toMatchObject([{ attributes: { name: 'Customer 719' } }]);
    },
  },
  'a key for an app': {
    most: 5,
    enter: async () => entered(browser, await Client.create()),
    work: async (person) => {
      await person.link('API keys');
      await person.click('New key');
      await person.fill('Name', 'app');
      await person.choose('It may', 'Read all documents');
      await person.click('Create');
      await person.page.getByLabel('the key', { exact: true }).waitFor();
    },
  },
  'who may see a document': {
    most: 4,
    enter: async () => {
      const client = await Client.create();
      await makeUser(client, 'ada');
      await client.make('notes', { text: 'hello' });
      return entered(browser, client, '#/documents/notes');
    },
    work: async (person) => {
      await person.click(person.page.getByRole('cell', { name: 'hello' }));
      await person.click(person.page.getByRole('tab', { name: 'Rights' }));
      const why = person.page.getByRole('region', { name: 'Who may, and why' });
      await person.click(why.getByRole('button', { name: /user/ }));
      await person.click(person.page.getByRole('dialog').getByRole('button', { name: 'ada' }));
      await why.getByRole('list', { name: 'What each key says' }).waitFor();
    },
  },
  'a CSV comes in': {
    most: 3,
    enter: async () => entered(browser, await Client.create()),
    work: async (person) => {
      await person.link('Documents');
      await person.drop('Import', 'books.csv', 'title,words\nEmma,160000\nPersuasion,90000\n');
      await person.click('Import 2 documents');
      await person.sees('2 imported');
    },
  },
  'a deletion is undone': {
    most: 2,
    enter: async () => {
      const client = await Client.create();
      await settle(client, { name: 'notes', history: 'forever' });
      const note = await client.make('notes', { title: 'hello' });
      await client.delete(`/resources/notes/${note.id}`);
      return entered(browser, client, '#/documents/notes');
    },
    work: async (person) => {
      await person.link('Deleted');
      await person.click('Restore hello');
      await person.sees('1 document restored.');
    },
  },
  'why a search is slow': {
    most: 3,
    enter: async () => {
      const page = await enteredAsOperator(browser);
      await openApplication(page, 'shop of many');
      await goTo(page, '#/documents/orders');
      return page;
    },
    work: async (person) => {
      await person.fill('Filter', 'city ~ /^berl/i');
      await person.press('Enter');
      await person.sees(/documents match$/);
      await person.link('How it is found');
      await person.page.getByRole('region', { name: 'The plan' }).waitFor();
    },
  },
  'a login that has ended in mid-edit': {
    most: 5,
    enter: async () => {
      const client = await Client.create();
      const acl = { active: true };
      const key = await client.withPermissions([
        may('get post patch', '/resources/notes(/.*)?', { acl }),
        may('post', '/users/core.user.token'),
      ]);
      const { link, headers } = await makeUser(client, 'ann');
      const sent = { data: { type: 'notes', attributes: { text: 'Emma' } } };
      const { id } = (await key.post('/resources/notes', sent, headers)).body.data;
      const page = await enteredAsUser(browser, key, 'ann', `#/documents/notes/${id}`);
      await page.getByLabel('text', { exact: true }).waitFor();
      // It ends all tokens of the user.
      await client.update(`/users/core.user/${link.id}`, { attributes: { note: 'changed' } });
      return page;
    },
    work: async (person) => {
      await person.fill('text', 'Persuasion');
      await person.click('Save');
      await person.sees('The login of ann is no longer valid.');
      await person.fill('Password', PASSWORD);
      await person.click('Log in');
      await person.page.getByRole('dialog').waitFor({ state: 'detached' });
      await person.click('Save');
      await person.sees('Saved.');
      expect(await person.page.getByLabel('text', { exact: true }).inputValue()).toBe('Persuasion');
      browser.expects(/401|403/);
    },
  },
};

test.each(Object.entries(TASKS))('%s', async (_, { most, enter, work }) => {
  const person = new Person(await enter());
  await work(person);
  expect(person.actions).toBeLessThanOrEqual(most);
});
