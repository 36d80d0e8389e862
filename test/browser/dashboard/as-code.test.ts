/** What a page has just asked, as code: it runs as it is shown, with credentials in place of their names. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible, goTo } from '../../support/dashboard.ts';

const browser = useBrowser();

/** The code of the first request of this sort that the panel shows. */
async function codeOf(page: Page, form: 'curl' | 'Client', label: string): Promise<string> {
  await page.getByRole('tab', { name: form }).click();
  return page.getByLabel(label, { exact: true }).first().innerText();
}

const PATH = '/webhooks/core.webhook';
const count = async (client: Client) => (await client.get(PATH)).body.meta.count;

test('curl, and client code, do once more what the page did; the panel is accessible', async () => {
  const client = await Client.create();
  const page = await entered(browser, client, '#/webhooks');
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByLabel('Type of the documents').fill('books');
  await page.getByLabel('URL').fill('https://foredge.example/hook?of=$HOME');
  await page.getByLabel('Filter').fill(`{"title": "It's \\"here\\" \`$KEY\`"}`);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('region', { name: 'Deliveries' }).waitFor();
  await page.getByRole('button', { name: 'As code' }).click();
  const list = await codeOf(page, 'curl', `GET ${PATH}`);
  const create = await codeOf(page, 'curl', `POST ${PATH}`);
  expect(list + create).not.toContain(client.key);
  const run = (code: string) =>
    promisify(execFile)('bash', ['-c', code], { env: { ...process.env, KEY: client.key } });
  await run(create);
  expect(await count(client)).toBe(2);
  const { stdout } = await run(list);
  const found = JSON.parse(stdout) as { data: { attributes: { url: string; filter: unknown } }[] };
  expect(found.data.map(({ attributes }) => [attributes.url, attributes.filter])).toEqual([
    ['https://foredge.example/hook?of=$HOME', { title: 'It\'s "here" `$KEY`' }],
    ['https://foredge.example/hook?of=$HOME', { title: 'It\'s "here" `$KEY`' }],
  ]);

  const written = await codeOf(page, 'Client', `POST ${PATH}`);
  expect(written).not.toContain(client.key);
  const [, program = ''] = written.split(`import { connect } from '${client.url}/client.js';`);
  const source = new URL('../../../src/client/index.ts', import.meta.url).href;
  const local = `import { connect } from ${JSON.stringify(source)};`;
  const code = `${local}\nconst KEY = ${JSON.stringify(client.key)};\n${program}`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  expect(await count(client)).toBe(3);

  await goTo(page, '#/audit');
  await page.getByRole('heading', { level: 1, name: 'Audit trail' }).waitFor();
  await expectAccessible(page);
});
