/**
 * Static assets: files that scripts/build-assets.ts has made, served by name. They are the same for everybody and need
 * no key. Nothing here runs, nor loads anything, for other requests.
 */
import type { Context } from 'hono';
import { fail } from '../../domain/problems.ts';
import { namesTag } from '../../modules/documents/tags/conditions.ts';
import { replyOfProblems } from '../answer.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';

/** Media types by the ends of names. There is no asset of another kind. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

/** What a page may load: its own scripts, styles, images and data, from here alone, and nothing that stands in it. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Names that have the hash of what is in it: what a browser has of these stays as it is. */
const HASHED = /-[A-Z0-9]{8}\.js$/;

/** Entity tags by name, as the manifest of the assets has them; of this isolate, because a deployment replaces both. */
let tags: ReadonlyMap<string, string> | undefined;

/** The asset of this name, or 304, or 404. `policy` is the Content-Security-Policy of a page that needs another one. */
export async function asset(c: Context<Types>, name: string, policy = PAGE_POLICY): Promise<Response> {
  tags ??= await readTags(c.env.ASSETS);
  const tag = tags.get(name);
  const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (tag === undefined || mediaType === undefined) return c.render(noAsset(c.req.path));
  const page = mediaType.startsWith('text/html');
  const common = {
    typed: true,
    mediaType,
    headers: {
      ETag: tag,
      'Cache-Control': HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'public, no-cache',
      ...(page && { 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' }),
    },
  };
  if (namesTag(c.req.raw.headers.get('if-none-match'), tag))
    return c.render({ ...common, status: 304, body: null });
  if (c.req.method === 'HEAD') return c.render({ ...common, status: 200, body: null });
  const file = await read(c.env.ASSETS, name);
  return c.render(file === null ? noAsset(c.req.path) : { ...common, status: 200, body: file.body });
}

function noAsset(path: string): Reply {
  return replyOfProblems(fail('not-found', `There is no page ${path}.`).problems);
}

async function readTags(assets: Fetcher | undefined): Promise<ReadonlyMap<string, string>> {
  const file = await read(assets, 'manifest.json');
  if (file === null) return new Map();
  const manifest = await file.json<{
    readonly assets: Readonly<Record<string, { readonly etag: string }>>;
  }>();
  return new Map(Object.entries(manifest.assets).map(([name, { etag }]) => [name, `"${etag}"`]));
}

async function read(assets: Fetcher | undefined, name: string): Promise<Response | null> {
  const response = await assets?.fetch(`https://assets/${encodeURIComponent(name)}`);
  return response?.ok === true ? response : null;
}
