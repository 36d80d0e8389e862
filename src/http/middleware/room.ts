/** Refuses requests that add to a full disk (507). Deletions are allowed, because they may make room. */
import { hasRoom } from '../../collection/rpc/environment.ts';
import { replyOfProblems } from '../answer.ts';
import { storageFull } from '../outage.ts';
import type { Step } from '../types.ts';

export const room: Step = async (c) =>
  (await hasRoom(c.env)) ? undefined : c.render(replyOfProblems([storageFull()]));
