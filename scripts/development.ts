/**
 * What `foredge dev` serves beside the Worker (the binding DEVELOPMENT), without a key: a program that asks for it gets
 * it, and no page of another origin does.
 */
import { clientPackage } from './client-package.ts';
import { explain } from './failure.ts';
import { followed } from './project/follow.ts';

/** A name could be that of a page which has been made to lead to this machine. */
const ADDRESSES = /^(\[.*\]|[\d.]+|localhost)$/;

export async function development({ url, headers }: Pick<Request, 'url' | 'headers'>): Promise<Response> {
  const { hostname, pathname } = new URL(url);
  if (headers.has('origin') || !ADDRESSES.test(hostname)) return new Response(null, { status: 404 });
  if (pathname === '/development') return Response.json({ meta: { project: followed } });
  try {
    return new Response(await clientPackage());
  } catch (error) {
    console.error(explain(error));
    return new Response(null, { status: 500 });
  }
}
