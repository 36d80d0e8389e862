/** Refuses requests that add to a full disk (507). Deletions are allowed, because they may make room. */
import { createMiddleware } from 'hono/factory';
import { hasRoom } from '../../collection/rpc/room.ts';
import { replyOfProblems } from '../answer.ts';
import { storageFull } from '../outage.ts';
import type { Types } from '../types.ts';

export const room = createMiddleware<Types>(async (c, next) => {
  if (!(await hasRoom(c.env))) return c.render(replyOfProblems([storageFull()]));
  return next();
});
