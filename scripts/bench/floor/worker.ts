/**
 * The floor: as little as a Worker and a Durable Object with SQLite can do for a request. One RPC, one statement, the
 * bytes as they were given. It checks nothing and knows nobody. Another object of the class does the works by hand.
 */
import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';
import { Hand } from '../hand/object.ts';
import { handRoutes } from '../hand/routes.ts';

interface Environment {
  readonly COLLECTIONS: DurableObjectNamespace<Floor>;
}

export class Floor extends DurableObject<Environment> {
  readonly #sql: SqlStorage;
  #hand: Hand | null = null;

  constructor(context: DurableObjectState, environment: Environment) {
    super(context, environment);
    this.#sql = context.storage.sql;
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS documents (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID',
    );
    this.#sql.exec('CREATE TABLE IF NOT EXISTS fields (id INTEGER PRIMARY KEY, body BLOB NOT NULL)');
  }

  get hand(): Hand {
    return (this.#hand ??= new Hand(this.ctx.storage));
  }

  read(id: string): string | null {
    const [row] = this.#sql.exec<{ body: string }>('SELECT body FROM documents WHERE id = ?', id).toArray();
    return row?.body ?? null;
  }

  create(id: string, body: string): string {
    this.#sql.exec('INSERT INTO documents (id, body) VALUES (?, ?)', id, body);
    return body;
  }

  /** An array of resource objects in JSON. */
  createMany(array: string): number {
    return this.#sql.exec("INSERT INTO documents SELECT value ->> 'id', value FROM json_each(?)", array)
      .rowsWritten;
  }

  /** Lays the attributes out as JSONB, for `group`. */
  layOut(): void {
    this.#sql.exec('DELETE FROM fields');
    this.#sql.exec(
      `INSERT INTO fields (body)
       SELECT jsonb(body -> 'attributes') FROM documents WHERE body -> 'attributes' IS NOT NULL`,
    );
  }

  group(): readonly Record<string, SqlStorageValue>[] {
    return this.#sql
      .exec(
        `SELECT body ->> 'category' AS category, count(*) AS count, sum(body ->> 'price') AS total,
           max(body ->> 'visits') AS most FROM fields GROUP BY 1 ORDER BY 1`,
      )
      .toArray();
  }
}

const JSON_API = { 'content-type': 'application/vnd.api+json' };

const app = new Hono<{ Bindings: Environment }>();

function floorOf({ COLLECTIONS }: Environment) {
  return COLLECTIONS.get(COLLECTIONS.idFromName('floor'));
}

app.get('/documents/:id', async ({ env, req, body, notFound }) => {
  const found = await floorOf(env).read(req.param('id'));
  return found === null ? notFound() : body(found, 200, JSON_API);
});
app.post('/documents', async ({ env, req, body }) => {
  const made = await floorOf(env).create(crypto.randomUUID(), await req.text());
  return body(made, 201, JSON_API);
});
app.post('/many', async ({ env, req, json }) =>
  json({ rows: await floorOf(env).createMany(await req.text()) }),
);
app.post('/fields', async ({ env, body }) => {
  await floorOf(env).layOut();
  return body(null, 204);
});
app.get('/groups', async ({ env, json }) => json(await floorOf(env).group()));
app.route(
  '/hand',
  handRoutes(({ COLLECTIONS }: Environment) => COLLECTIONS.get(COLLECTIONS.idFromName('hand')).hand),
);

export default app;
