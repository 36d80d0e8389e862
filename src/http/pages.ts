/** The pages that need no key: the front page, and the pages of profiles. */
import { Hono } from 'hono';
import { fail } from '../domain/problems.ts';
import { replyOfProblems } from './answer.ts';
import { frontPage } from './front-page.ts';
import { EXTENDED_JSON, profilePage } from './profile-page.ts';
import type { Types } from './types.ts';

const READ_ONLY = replyOfProblems(fail('method-not-allowed', 'This page can only be read.').problems, {
  Allow: 'GET, HEAD, OPTIONS',
});

export const pages = new Hono<Types>()
  .get('/', (c) => c.render(frontPage()))
  .get(EXTENDED_JSON, (c) => c.render(profilePage()))
  .all('/', (c) => c.render(READ_ONLY))
  .all(EXTENDED_JSON, (c) => c.render(READ_ONLY));
