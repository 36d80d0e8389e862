/** A project that `foredge dev` follows: what is wrong in its files stands above every page until it is mended. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Client } from '../../support/client.ts';
import { entered, expectAccessible } from '../../support/dashboard.ts';
import { TestProject } from '../../support/project.ts';
import { ROOT, Started, TERMINAL } from '../../support/started.ts';

const browser = useBrowser();
let project: TestProject;
let dev: Started;

beforeAll(async () => {
  project = await TestProject.create();
  project.remove('../foredge.json');
  await project.run('init');
  const data = join(project.root, '.foredge');
  const child = spawn(process.execPath, [join(ROOT, 'scripts/app.ts'), 'dev', '--project', project.root], {
    cwd: ROOT,
    env: { ...TERMINAL, PORT: '0', DATA_DIR: data },
    detached: true,
  });
  dev = new Started(child, data);
  expect(await dev.serves(), dev.output).toBe(true);
});
afterAll(async () => {
  await dev.killAll();
  project.remove();
});

test('a fault is told with file and line, without a reload, and goes when it is mended', async () => {
  const { base_url: url, application_id: application, api_key: key } = dev.credentials;
  const page = await entered(browser, new Client(url, application, key));
  const text = project.read('types/articles.json');
  project.write('types/articles.json', text.replace('"rights"', '"right"'));
  const fault = page.getByRole('status').filter({ hasText: 'not pushed' });
  await fault.getByText(/foredge\/types\/articles\.json:5:/).waitFor();
  await expectAccessible(page);
  project.write('types/articles.json', text);
  await fault.waitFor({ state: 'detached' });
});

test('pages of other origins learn nothing of the files', async () => {
  const { base_url: url } = dev.credentials;
  const { meta } = (await (await fetch(`${url}/development`)).json()) as { meta: { project: unknown } };
  expect(meta.project).toEqual({ fault: null });
  const other = await fetch(`${url}/development`, { headers: { origin: 'https://example.org' } });
  expect(await other.json()).toMatchObject({ meta: { project: null } });
});
