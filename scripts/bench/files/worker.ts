/** The bucket alone: what the binding takes for a content, without anything of the service. */
import { DurableObject } from 'cloudflare:workers';

interface Environment {
  readonly FILES: R2Bucket;
}

/** The runtime wants a class. */
export class Floor extends DurableObject {}

export default {
  async fetch({ body, method, url }: Request, { FILES }: Environment): Promise<Response> {
    const key = new URL(url).pathname;
    if (method === 'POST') {
      await FILES.put(key, body);
      return new Response(null, { status: 201 });
    }
    const found = await FILES.get(key);
    return found === null ? new Response(null, { status: 404 }) : new Response(found.body);
  },
};
