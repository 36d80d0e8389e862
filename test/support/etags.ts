/** Steps of tests of entity tags: a document that is changed or removed, and a read that has a tag already. */
import { expect } from 'vitest';
import { pathOf, type Client, type Resource } from './client.ts';

export function stepsOf(client: Client) {
  return {
    /** The status of a read that already has the answer of this ETag. */
    since: async (etag: string, path: string): Promise<number> => {
      const read = await client.get(path, { 'if-none-match': etag });
      if (read.status === 304) expect(read.text).toBe('');
      return read.status;
    },

    change: async (document: Resource, attributes: unknown = { changed: true }): Promise<void> => {
      const patched = await client.update(pathOf(document), { attributes });
      expect(patched.status).toBe(200);
    },

    remove: (document: Resource) => client.delete(pathOf(document)),
  };
}
