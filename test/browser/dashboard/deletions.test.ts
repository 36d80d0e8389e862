/** What the dashboard says before something of the service's own types is deleted. */
import { beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, goTo } from '../../support/dashboard.ts';

const browser = useBrowser();
let client: Client;
beforeAll(async () => {
  client = await Client.create('deletions of the dashboard');
});

const URL = 'https://foredge.example/hook';
const TEMPLATE = { name: 'log-in', subject: 'Come in', text: '{{code}}' };

const DELETIONS = [
  [
    'users/core.user',
    'users/core.user',
    { username: 'ada', password: 'engine' },
    'It logs the user out everywhere.',
  ],
  ['users/core.user-group', 'groups', { name: 'Editors' }, 'Its members lose the rights'],
  ['users/core.mail-template', 'templates', TEMPLATE, 'have the built-in text again'],
  ['users/core.account-settings', 'accounts', { name: 'Shop' }, 'Nobody can sign up then'],
  ['api-keys/core.api-key', 'keys', { name: 'web', permissions: [] }, 'It stops working here now'],
  ['schemas/core.schema', 'schemas', { target: 'books', content: true }, 'no longer checked against it'],
  ['webhooks/core.webhook', 'webhooks', { target: 'books', url: URL }, 'Pending calls are dropped.'],
] as const;

test('a deletion says what else it does, and can be taken back', async () => {
  const page = await entered(browser, client);
  for (const [path, route, attributes, words] of DELETIONS) {
    const relationships = route === 'groups' ? { users: { data: [] } } : {};
    const { id } = (await client.create(`/${path}`, { attributes, relationships })).body.data;
    await goTo(page, `#/${route}/${id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alert').getByText(words).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect((await client.get(`/${path}/${id}`)).body.data, path).not.toBe(null);
  }
});
