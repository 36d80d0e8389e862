/** Pages with an offline store, in a real browser: several tabs, a network that is away, answers that do not come. */
import type { Page, Route, Request } from 'playwright-core';
import { inject } from 'vitest';
import type { TestBrowser } from './browser.ts';
import type { Client } from './client.ts';
import { serveSite } from './site.ts';

/** What a page is started with. */
export interface Start {
  readonly type: string;
  readonly user?: string | null;
  readonly token?: string | null;
  readonly refreshToken?: string | null;
  readonly clientIds?: readonly string[];
  readonly application?: string;
  readonly key?: string;
  /** Of another service than that of the tests. */
  readonly url?: string;
  /** JavaScript of the query, and of the options of the list. */
  readonly query?: string;
  readonly options?: string;
}

/**
 * The address of a page that opens a store and a list of a type: `db`, `store`, `list`, `connect`, `offline`, `Decimal`
 * are there for scripts; where `late` is set, the list is opened by `proceed()`;
 * `key` and `timeout` of the window are those of the page; `failed` has what keeps the store from opening.
 */
export async function pageOf(client: Client, start: Start): Promise<string> {
  const { type, user = null, clientIds = [], query = '{}', options = '{}' } = start;
  const { token = null, refreshToken = null } = start;
  const { application = client.application, key = client.key, url = inject('url') } = start;
  return serveSite({
    '/empty': '<!doctype html><title>Empty</title>',
    '/': `<!doctype html><meta charset="utf-8"><title>Store</title><script type="module">
      import { connect, Decimal } from '${url}/client.js';
      import { offline } from '${url}/client-offline.js';
      const start = ${JSON.stringify({ url, application, key, token, refreshToken, retries: 0 })};
      const db = connect({ ...start, key: window.key ?? start.key, timeout: window.timeout });
      Object.assign(window, { connect, Decimal, offline, db });
      window.begin = async () => {
        const options = ${JSON.stringify({ user, clientIds, every: 50 })};
        window.store = await offline(db, options);
        if (window.late) await new Promise((proceed) => (window.proceed = proceed));
        window.list = await store.list('${type}', ${query}, ${options});
        window.texts = () => list.array.map(({ text }) => text).join();
      };
      await begin().catch((error) => (window.failed = error.name + ': ' + error.message));
      window.begun = true;
    </script>`,
  });
}

export async function begun(browser: TestBrowser, address: string, beside?: Page): Promise<Page> {
  const page = await browser.open(address, beside === undefined ? {} : { beside });
  await page.waitForFunction('window.begun');
  return page;
}

export const run = (page: Page, code: string) => page.evaluate<unknown>(code);
export const shows = (page: Page, texts: string) =>
  page.waitForFunction(`texts() === ${JSON.stringify(texts)}`, undefined, { polling: 20 });
export const idle = (page: Page) =>
  page.waitForFunction('store.waiting.size === 0', undefined, { polling: 20 });
export const conflicts = (page: Page, count = 1) =>
  page.waitForFunction(`store.conflicts.length === ${count}`, undefined, { polling: 20 });

/** The texts of a type that are stored. */
export async function stored(client: Client, type: string): Promise<string> {
  const { body } = await client.get(`/resources/${type}?sort=text&page[limit]=100`);
  return body.data.map(({ attributes }) => attributes?.['text']).join();
}

/** Nothing gets through to the service, but for the client itself, until it is switched on again. */
export async function switchOff(page: Page): Promise<() => Promise<void>> {
  const away = (route: Route) => route.abort('internetdisconnected');
  const which = /\/(resources|files)\//;
  await page.context().route(which, away);
  return async () => {
    await page.context().unroute(which, away);
  };
}

/** The next request of a method reaches the service, but its answer does not come: `lost` resolves once it is there. */
export async function loseAnswer(page: Page, method: string): Promise<{ readonly lost: Promise<void> }> {
  const context = page.context();
  const { promise: lost, resolve } = Promise.withResolvers<undefined>();
  const which = /\/(resources|files)\//;
  const lose = async (route: Route) => {
    if (route.request().method() !== method) return route.fallback();
    await context.unroute(which, lose);
    await route.fetch();
    await route.abort('connectionreset');
    resolve(undefined);
  };
  await context.route(which, lose);
  return { lost };
}

/** The requests of some methods that a browser has sent, from now on. */
export function watchRequests(page: Page, ...methods: string[]): string[] {
  return watch(page, 'request', methods);
}

/** The same of those that were answered: one may be under way when the network comes back. */
export function watchAnswered(page: Page, ...methods: string[]): string[] {
  return watch(page, 'requestfinished', methods);
}

function watch(page: Page, event: 'request' | 'requestfinished', methods: readonly string[]): string[] {
  const sent: string[] = [];
  const note = (request: Request) => {
    if (methods.includes(request.method())) sent.push(`${request.method()} ${request.postData() ?? ''}`);
  };
  if (event === 'request') page.context().on('request', note);
  else page.context().on('requestfinished', note);
  return sent;
}
