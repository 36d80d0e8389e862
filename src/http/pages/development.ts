/** What `foredge dev` serves beside the Worker: the client as a package, and what is wrong in the files that it follows. */
import type { Context } from 'hono';
import { fail } from '../../domain/problems.ts';
import { replyOf, replyOfProblems } from '../answer.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';

const LOCAL = { typed: true, confidential: true, headers: {} } as const;

export async function clientPackage(c: Context<Types>): Promise<Reply> {
  const made = await ask(c);
  if (made?.ok !== true) {
    return replyOfProblems(fail('not-found', 'Only foredge dev has the client as a package.').problems);
  }
  return { ...LOCAL, status: 200, mediaType: 'application/gzip', body: made.body };
}

/** `meta.project`: null where no project is followed, else its `fault`, a text with file and line, or null. */
export async function development(c: Context<Types>): Promise<Reply> {
  const answer = await ask(c);
  if (answer?.ok !== true) return replyOf({ status: 200, document: { meta: { project: null } } });
  return { ...LOCAL, status: 200, body: answer.body };
}

async function ask({ env, req }: Context<Types>): Promise<Response | undefined> {
  return env.DEVELOPMENT?.fetch(req.raw.url, { headers: req.raw.headers });
}
