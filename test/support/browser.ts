/**
 * A real Chromium for tests, out of npm packages alone: the machine needs no browser and none of its libraries. One
 * browser serves a test file. Pages talk to the addresses that a test names and to no other, and a test fails when a
 * page logged an error, threw one, or asked for what it did not get.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';

export interface TestBrowser {
  /**
   * Opens a page, in a profile of its own (storage, cookies) unless one of `beside` is given. It may ask the service
   * under test, its own origin and the `origins` given; anything else is refused.
   */
  readonly open: (address: string, options?: OpenOptions) => Promise<Page>;
  /** Takes what went wrong so far: a test that expects it calls this, and what is left at its end fails it. */
  readonly troubles: () => string[];
}

interface OpenOptions {
  readonly origins?: readonly string[];
  /** A page whose profile the new one shares, as a second tab does. */
  readonly beside?: Page;
}

/** To be called at the top of a test file. Pages close after each test, the browser after the last. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  const troubles: string[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    expect(troubles.splice(0), 'what went wrong in the browser').toEqual([]);
  });
  afterAll(() => browser?.close());
  return {
    async open(address, { origins = [], beside } = {}) {
      if (browser === undefined) throw new Error('The browser opens before the first test.');
      const context = beside?.context() ?? (await browser.newContext({ locale: 'en-US' }));
      if (beside === undefined) watch(context, troubles);
      await refuseOthers(context, [inject('url'), address, ...origins].map(originOf), troubles);
      const page = await context.newPage();
      await page.goto(address);
      return page;
    },
    troubles: () => troubles.splice(0),
  };
}

const originOf = (address: string) => new URL(address).origin;

function watch(context: BrowserContext, troubles: string[]) {
  context.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => troubles.push(`error: ${String(error.error())}`));
  context.on('requestfailed', (request) => {
    // A page that leaves or ends a request of its own is no trouble.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') troubles.push(`failed: ${request.url()} ${reason}`);
  });
}

async function refuseOthers(context: BrowserContext, allowed: readonly string[], troubles: string[]) {
  await context.route('**', async (route) => {
    const url = route.request().url();
    if (!/^https?:/.test(url) || allowed.includes(originOf(url))) return route.fallback();
    troubles.push(`refused: ${url}`);
    return route.abort('blockedbyclient');
  });
}

async function launch(): Promise<Browser> {
  const folder = await unpacked();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--disable-gpu', '--font-render-hinting=none'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      HOME: folder,
    },
  });
}

/**
 * The folder with Chromium, unpacked once per version of its package. The package unpacks into the folder for temporary
 * files, and its libraries only where it believes to be at Amazon's: so it is told both, in a process of its own.
 */
async function unpacked(): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  const home = join(resolve('@sparticuz/chromium'), '../../..');
  const folder = join(home, '.unpacked');
  if (existsSync(folder)) return folder;
  const fresh = mkdtempSync(join(home, '.unpacking-'));
  const program = 'import("@sparticuz/chromium").then((it) => it.default.executablePath())';
  await promisify(execFile)(process.execPath, ['-e', program], {
    cwd: home,
    env: { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  // The package's own table of fonts names Amazon's folders. Without a font, no text has a size.
  writeFileSync(
    join(fresh, 'fonts.conf'),
    `<fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>`,
  );
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another test file was faster.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
