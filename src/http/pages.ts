/**
 * What needs no key: the front page, the pages of profiles, health, metrics (which need the operator's secret), the
 * documentation, the client, and static assets. All of it can only be read.
 */
import { Hono, type Handler } from 'hono';
import { fail } from '../domain/problems.ts';
import { replyOfProblems } from './answer.ts';
import { asset } from './assets.ts';
import { frontPage } from './front-page.ts';
import { health } from './health.ts';
import { metrics } from './metrics.ts';
import { EXTENDED_JSON, profilePage } from './profile-page.ts';
import type { Types } from './types.ts';

const READ_ONLY = replyOfProblems(fail('method-not-allowed', 'This page can only be read.').problems, {
  Allow: 'GET, HEAD, OPTIONS',
});

const PAGES: Readonly<Record<string, Handler<Types>>> = {
  '/': (c) => c.render(frontPage()),
  [EXTENDED_JSON]: (c) => c.render(profilePage()),
  '/health': async (c) => c.render(await health(c)),
  '/metrics': async (c) => c.render(await metrics(c)),
  '/client.js': (c) => asset(c, 'client.js'),
  '/assets/:name': (c) => asset(c, c.req.param('name') ?? ''),
  '/docs/:page': (c) => asset(c, `docs-${c.req.param('page') ?? ''}.html`),
  '/docs/:folder/:page': (c) =>
    asset(c, `docs-${c.req.param('folder') ?? ''}-${c.req.param('page') ?? ''}.html`),
};

export const pages = new Hono<Types>();
for (const [path, page] of Object.entries(PAGES)) {
  pages.get(path, page).all(path, (c) => c.render(READ_ONLY));
}
