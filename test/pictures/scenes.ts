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
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

const at = (route: string) => () => route;

export const SCENES: readonly Scene[] = [
  { name: 'door', route: at(''), entered: 'nobody', height: 560 },
  { name: 'overview', route: at('#/overview'), entered: 'operator' },
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
    act: async (page) => {
      await page.locator('.chart canvas').nth(1).waitFor();
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
