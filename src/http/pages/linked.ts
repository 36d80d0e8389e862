/** `GET /content/<application>/<seal>`: the content of a file for whoever has a link to it (docs/files.md). */
import type { Context } from 'hono';
import type { ContentRequest } from '../../modules/endpoint.ts';
import { openLink, readLinked, type OpenLink } from '../../modules/files/links.ts';
import { formatFor } from '../../modules/files/pictures.ts';
import { replyOf, replyOfProblems } from '../answer.ts';
import { contentRequestOf } from '../contents/head.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';

export async function linked(c: Context<Types>): Promise<Reply> {
  const link = await openLink(c.env, c.req.param('application') ?? '', c.req.param('sealed') ?? '');
  const request = contentRequestOf(c.req.raw);
  // Under `npm start` there is no edge: what has been deleted would stay on this machine.
  const isAtEdge = link?.linked.until === null && c.env.EPOCH === undefined && !request.isHead;
  const address = new URL(c.req.url);
  // One for each format, and no other: else anybody could fill the cache with copies.
  address.search = link?.linked.shownIn?.format === 'auto' ? `?${formatFor(request.accept)}` : '';
  const cached = isAtEdge ? await caches.default.match(new Request(address, c.req.raw)) : undefined;
  if (cached !== undefined) return replyOfCached(cached);
  const answer = await readLinked(c.env, link, request);
  if (!answer.ok) return replyOfProblems(answer.problems);
  const { status, content } = answer.value;
  // The whole content is wanted, and not too large.
  const isCacheable = status === 200 && Number(content?.headers['Content-Length']) <= MOST_CACHED;
  if (isAtEdge && isCacheable) c.executionCtx.waitUntil(keep(c, link, address, request));
  return replyOf(answer.value);
}

/** Bytes of the largest content that the edge keeps: it is read once more for that. */
const MOST_CACHED = 32 * 1024 * 1024;

/** Lets the edge keep the whole content, which a client takes as fast or as slowly as it likes. */
async function keep(
  c: Context<Types>,
  link: OpenLink,
  address: URL,
  { accept }: ContentRequest,
): Promise<void> {
  const whole = contentRequestOf(new Request(address, { headers: accept === null ? {} : { accept } }));
  const answer = await readLinked(c.env, link, whole);
  if (!answer.ok || answer.value.content === undefined) return;
  const { body, headers, mediaType } = answer.value.content;
  await caches.default.put(
    address,
    new Response(body, { headers: { ...headers, 'Content-Type': mediaType } }),
  );
}

function replyOfCached({ body, headers: cached, status }: Response): Reply {
  const { 'content-type': mediaType = '', ...headers } = Object.fromEntries(cached);
  return { status, typed: status !== 304, mediaType, body, headers };
}
