/** A Worker that uses the client: it writes and reads documents at the service that the body of a request names. */
import { connect } from '../../src/client/index.ts';
import type { Library } from './library.ts';

export { Collection, Session } from '../../src/index.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const db = connect<Library>(await request.json());
    const author = await db.create('authors', { name: 'Mary Shelley' });
    const book = await db.create('books', { title: 'Frankenstein', author, published: new Date(0) });
    book.title = 'The Modern Prometheus';
    await db.save(book);
    const [read] = await db.list('books', { include: 'author', filter: { author } }).all();
    return Response.json([read?.title, read?.author?.name, read?.published?.getTime()]);
  },
};
