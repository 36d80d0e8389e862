/** What the pictures of the dashboard show: one entry for each page. */
import type { Page } from 'playwright-core';
import type { Ids } from './prepare.ts';

interface Scene {
  /** The name of its file, before the theme. */
  readonly name: string;
  readonly route: (ids: Ids) => string;
  readonly entered: 'nobody' | 'key' | 'operator';
  readonly width?: number;
  readonly height?: number;
  /** What is done before it is looked at; a picture shows so many looks at what changes. */
  readonly act?: (page: Page, looks?: number) => Promise<void>;
}

const at = (route: string) => () => route;

export const SCENES: readonly Scene[] = [
  { name: 'door', route: at(''), entered: 'nobody', height: 560 },
  { name: 'overview', route: at('#/overview'), entered: 'operator' },
  { name: 'types', route: at('#/documents'), entered: 'operator', height: 520 },
  { name: 'documents', route: at('#/documents/movies?sort=-imdb'), entered: 'key' },
  {
    name: 'document',
    route: ({ movie }) => `#/documents/movies/${movie}`,
    entered: 'key',
    height: 900,
  },
  {
    name: 'files',
    route: at('#/files'),
    entered: 'key',
    height: 640,
    act: (page) => page.locator('.gallery img').nth(3).waitFor(),
  },
  {
    name: 'file',
    route: ({ file }) => `#/documents/core.file/${file}`,
    entered: 'key',
    height: 900,
    act: (page) => page.locator('.file-content img').waitFor(),
  },
  { name: 'aggregates', route: at('#/aggregates'), entered: 'key', height: 420 },
  {
    name: 'aggregate',
    route: ({ aggregate }) => `#/aggregates/${aggregate}`,
    entered: 'key',
    height: 1500,
    act: async (page) => {
      await page.getByRole('tab', { name: 'Chart' }).click();
      await page.locator('.result-chart canvas').waitFor();
    },
  },
  { name: 'users', route: at('#/users'), entered: 'key', height: 480 },
  { name: 'group', route: ({ group }) => `#/groups/${group}`, entered: 'key', height: 620 },
  { name: 'accounts', route: ({ account }) => `#/accounts/${account}`, entered: 'key', height: 680 },
  { name: 'provider', route: ({ provider }) => `#/providers/${provider}`, entered: 'key', height: 680 },
  { name: 'keys', route: at('#/keys'), entered: 'key', height: 420 },
  { name: 'key', route: ({ key }) => `#/keys/${key}`, entered: 'key', height: 960 },
  { name: 'schemas', route: at('#/schemas'), entered: 'key', height: 420 },
  { name: 'schema', route: ({ schema }) => `#/schemas/${schema}`, entered: 'key', height: 900 },
  { name: 'usage', route: at('#/usage'), entered: 'operator' },
  {
    name: 'plan',
    route: at('#/plan?type=movies&filter=%7B%22imdbVotes%22%3A%7B%22%24gte%22%3A100000%7D%7D&sort=-imdb'),
    entered: 'operator',
    height: 620,
  },
  { name: 'webhooks', route: at('#/webhooks'), entered: 'key', height: 480 },
  { name: 'audit', route: at('#/audit'), entered: 'operator' },
  { name: 'transfer', route: at('#/transfer'), entered: 'operator' },
  { name: 'applications', route: at('#/applications'), entered: 'operator', height: 480 },
  {
    name: 'requests',
    route: at('#/requests'),
    entered: 'operator',
    act: async (page, looks = 1) => {
      await page.locator('.chart canvas').nth(1).waitFor();
      for (let look = 0; look < looks; look += 1) await page.waitForResponse('**/metrics');
    },
  },
  {
    name: 'as-code',
    route: at('#/overview'),
    entered: 'key',
    act: async (page) => {
      await page.getByRole('button', { name: 'As code' }).click();
    },
  },
];
