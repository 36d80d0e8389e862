/** fortune in memory, with its JSON:API serializer, as a process. PACKAGES is the folder that it is installed in. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

const require = createRequire(join(process.env['PACKAGES'] ?? '', 'package.json'));
const fortune = require('fortune') as {
  (types: Readonly<Record<string, unknown>>, options: Readonly<Record<string, unknown>>): unknown;
  readonly adapters: { readonly memory: unknown };
};
const listenerOf = require('fortune-http') as (
  store: unknown,
  options: Readonly<Record<string, unknown>>,
) => Listener;
const serializer = require('fortune-json-api') as unknown;

const store = fortune(
  {
    country: { name: String },
    author: { name: String, born: Number, country: 'country' },
    place: {
      name: String,
      street: String,
      category: String,
      batch: String,
      rank: Number,
      price: Number,
      visits: Number,
      opened: Date,
      tags: Array(String),
      location: Object,
      summary: String,
      extra: Object,
      author: 'author',
    },
  },
  // Without the 0 it forgets all but the last thousand.
  { adapter: [fortune.adapters.memory, { recordsPerType: 0 }], settings: { enforceLinks: true } },
);
const listener = listenerOf(store, { serializers: [serializer] });
const server = createServer((request, response) => {
  listener(request, response).catch(() => response.destroy());
});
server.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  console.log('fortune serves on its port.');
});
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
