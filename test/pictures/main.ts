/**
 * `npm run pictures [-- --into <folder>] [names]`: starts a service of its own with the demo's data, takes the pictures
 * of docs/dashboard.md, or those named, in a real Chromium, in both themes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { freePort, ROOT, start, temporaryFolder } from '../support/started.ts';
import { prepare } from './prepare.ts';
import { SCENES } from './scenes.ts';

const { values, positionals } = parseArgs({ options: { into: { type: 'string' } }, allowPositionals: true });
const FOLDER = values.into ?? join(ROOT, 'docs/pictures');
const CHOSEN = SCENES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const THEMES = ['light', 'dark'] as const;

const folder = temporaryFolder();
const started = await start(folder.path, await freePort(), {
  WEBHOOKS_TO_PRIVATE: 'yes',
  BACKUP_DIR: join(folder.path, 'backups'),
});
const browser = await launchChromium();
try {
  const env = { ...process.env, DATA_DIR: folder.path };
  execFileSync('npm', ['run', '--silent', 'demo'], { cwd: ROOT, env, stdio: 'ignore' });
  const { credentials } = started;
  const secret = (
    JSON.parse(readFileSync(join(folder.path, 'secrets.json'), 'utf8')) as {
      readonly OPERATOR_SECRET: string;
    }
  ).OPERATOR_SECRET;
  const ids = await prepare(credentials, secret, 'http://127.0.0.1:9/hooks/movies');
  mkdirSync(FOLDER, { recursive: true });
  for (const colorScheme of THEMES) {
    for (const { name, route, entered, width = 1180, height = 740, act } of CHOSEN) {
      const context = await browser.newContext({
        locale: 'en-US',
        timezoneId: 'UTC',
        colorScheme,
        reducedMotion: 'reduce',
        viewport: { width, height },
      });
      if (entered !== 'nobody') {
        const application = {
          id: credentials.application_id,
          key: credentials.api_key,
          name: 'First application',
        };
        const stored = JSON.stringify({ application, ...(entered === 'operator' && { secret }) });
        await context.addInitScript(`sessionStorage.setItem('foredge', ${JSON.stringify(stored)})`);
      }
      const page = await context.newPage();
      await page.goto(`${credentials.base_url}/dashboard${route(ids)}`);
      await settled(page);
      await act?.(page, 8);
      await settled(page);
      writeFileSync(join(FOLDER, `${name}-${colorScheme}.png`), await page.screenshot());
      console.log(`${name}-${colorScheme}`);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await started.killAll();
  folder.remove();
}

/** Until nothing is asked for any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready');
}
