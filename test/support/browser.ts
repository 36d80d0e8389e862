/**
 * A real Chromium for tests (chromium.ts). One serves all test files of a worker, and ends with it. Pages talk only to
 * addresses that a test names; a test fails when a page logged an error, threw one, or asked for what it did not get.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, inject, vi } from 'vitest';
import { launchChromium } from './chromium.ts';

export interface TestBrowser {
  /**
   * Opens a page, in a profile of its own (storage, cookies) unless one of `beside` is given. It may ask the service
   * under test, its own origin and the `origins` given; anything else is refused.
   */
  readonly open: (address: string, options?: OpenOptions) => Promise<Page>;
  /**
   * Says what this test expects to go wrong. The browser tells of it when it likes, also after the page has shown what
   * came of it: the end of the test waits until each was told at least once.
   */
  readonly expects: (...troubles: readonly RegExp[]) => void;
}

interface OpenOptions {
  readonly origins?: readonly string[];
  /** A page whose profile the new one shares, as a second tab does. */
  readonly beside?: Page;
  readonly locale?: string;
  /** False for a browser without scripts. */
  readonly scripts?: boolean;
  /** What the session storage of the new tab has, as if the tab had been at the address before. */
  readonly stored?: Readonly<Record<string, string>>;
}

/** Milliseconds that a page has for what a test waits for: on a crowded machine it is slow. */
export const PATIENCE = 60_000;

/** Requests that failed, were not sent, or were answered with an error. */
export const REQUESTS = /^(console: Failed to load resource|failed): /;

let browser: Browser | undefined;

/** To be called at the top of a test file, with what may go wrong in it. Pages close after each test. */
export function useBrowser(...tolerated: readonly RegExp[]): TestBrowser {
  const troubles: string[] = [];
  const expected: RegExp[] = [];
  beforeAll(async () => {
    if (browser?.isConnected() !== true) browser = await launchChromium();
  });
  afterEach(async () => {
    const awaited = expected.splice(0);
    const forgiven = [...awaited, ...tolerated];
    await vi.waitFor(() => {
      expect(
        awaited.filter((each) => !troubles.some((told) => each.test(told))),
        'not gone wrong',
      ).toEqual([]);
    }, PATIENCE);
    for (const context of browser?.contexts() ?? []) await context.close();
    const others = troubles.splice(0).filter((told) => !forgiven.some((each) => each.test(told)));
    expect(others, 'what went wrong in the browser').toEqual([]);
  });
  return {
    async open(address, { origins = [], beside, locale = 'en-US', scripts = true, stored } = {}) {
      if (browser === undefined) throw new Error('The browser opens before the first test.');
      const context = beside?.context() ?? (await browser.newContext({ locale, javaScriptEnabled: scripts }));
      if (beside === undefined) watch(context, troubles);
      context.setDefaultTimeout(PATIENCE);
      await refuseOthers(context, [inject('url'), address, ...origins].map(originOf), troubles);
      const page = await context.newPage();
      if (stored !== undefined) await page.addInitScript(storeOnce(originOf(address), stored));
      await page.goto(address);
      return page;
    },
    expects: (...each) => void expected.push(...each),
  };
}

/** A device with a touch that always comes: passkeys are made and used without anybody there. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const originOf = (address: string) => new URL(address).origin;

/** A script that fills the storage before the page's own, once: what the page forgets then stays forgotten. */
function storeOnce(origin: string, stored: Readonly<Record<string, string>>): string {
  return `if (self === top && origin === '${origin}' && sessionStorage.filled === undefined)
    Object.assign(sessionStorage, ${JSON.stringify(stored)}, { filled: '' });`;
}

function watch(context: BrowserContext, troubles: string[]) {
  context.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()} ${message.location().url}`);
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
