/** `GET /content/<application>/<seal>`: the content of a file for whoever has a link to it (docs/files.md). */
import type { Context } from 'hono';
import { readLinked } from '../../modules/files/links.ts';
import { replyOf, replyOfProblems } from '../answer.ts';
import { contentRequestOf } from '../contents/head.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';

export async function linked(c: Context<Types>): Promise<Reply> {
  const link = { application: c.req.param('application') ?? '', sealed: c.req.param('sealed') ?? '' };
  const answer = await readLinked(c.env, link, contentRequestOf(c.req.raw));
  return answer.ok ? replyOf(answer.value) : replyOfProblems(answer.problems);
}
