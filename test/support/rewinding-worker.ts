/**
 * The service on a runtime with an imitation of the platform's point-in-time recovery, which a runtime of one machine
 * lacks, and with KV's rule of one write a second. `POST /test/remember` remembers the storage of all objects that are
 * awake: to that moment they can go back.
 */
import './cheap-passwords.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { history } from '../../src/collection/storage/history.ts';
import { ruled } from './kv-rule.ts';
import service, { Collection as ServiceCollection } from '../../src/index.ts';

interface Remembered {
  readonly tables: ReadonlyMap<string, readonly Readonly<Record<string, SqlStorageValue>>[]>;
  readonly schema: readonly string[];
  readonly triggers: readonly string[];
  readonly values: ReadonlyMap<string, unknown>;
}

const EMPTY: Remembered = { tables: new Map(), schema: [], triggers: [], values: new Map() };

/** The objects that are awake, by their names, what is remembered of each, and which are to go back. */
const awake = new Map<string, DurableObjectStorage>();
const remembered = new Map<string, Remembered>();
const goingBack = new Set<string>();

history.at = (storage) => Promise.resolve(nameOf(storage));
history.restore = (_, bookmark) => {
  goingBack.add(bookmark);
  return Promise.resolve();
};

export class Collection extends ServiceCollection {
  constructor(state: DurableObjectState, env: Environment) {
    const name = state.id.name ?? '';
    if (goingBack.delete(name)) restore(state.storage, remembered.get(name) ?? EMPTY);
    super(state, under(env));
    awake.set(name, state.storage);
  }

  /** Within the object: no other may read its storage. */
  remember(): void {
    remembered.set(this.ctx.id.name ?? '', remember(this.ctx.storage));
  }
}

export { Session } from '../../src/index.ts';

export default {
  async fetch(request: Request, env: Environment, context: ExecutionContext): Promise<Response> {
    if (URL.parse(request.url)?.pathname !== '/test/remember')
      return service.fetch(request, under(env), context);
    const objects = env.COLLECTIONS as unknown as DurableObjectNamespace<Collection>;
    for (const name of awake.keys()) await objects.getByName(name).remember();
    return new Response();
  },
};

let bindings: Environment | undefined;

/** The same bindings, where KV has its rule. One object per isolate, as the runtime has it. */
function under(env: Environment): Environment {
  return (bindings ??= { ...env, LOOKUPS: ruled(env.LOOKUPS), TOKENS: ruled(env.TOKENS) });
}

function nameOf(storage: DurableObjectStorage): string {
  for (const [name, each] of awake) if (each === storage) return name;
  throw new Error('The object is not awake.');
}

const SCHEMA =
  "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'";

function remember({ sql, kv }: DurableObjectStorage): Remembered {
  const all = sql
    .exec<{ name: string; sql: string; type: string }>(SCHEMA.replace('name,', 'name, type,'))
    .toArray();
  const tables = all.filter(({ type }) => type === 'table').map(({ name }) => name);
  return {
    schema: all.filter(({ type }) => type !== 'trigger').map((each) => each.sql),
    triggers: all.filter(({ type }) => type === 'trigger').map((each) => each.sql),
    tables: new Map(tables.map((name) => [name, sql.exec(`SELECT * FROM ${name}`).toArray()])),
    values: new Map(kv.list()),
  };
}

function restore({ sql, kv }: DurableObjectStorage, { tables, schema, triggers, values }: Remembered): void {
  for (const [key] of [...kv.list()]) kv.delete(key);
  for (const { name } of sql.exec<{ name: string }>(`${SCHEMA} AND type = 'table'`).toArray()) {
    sql.exec(`DROP TABLE IF EXISTS ${name}`);
  }
  for (const each of schema) sql.exec(each);
  for (const [name, rows] of tables) {
    for (const row of rows) {
      const columns = Object.keys(row);
      sql.exec(
        `INSERT INTO ${name} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
        ...columns.map((column) => row[column] ?? null),
      );
    }
  }
  // They would act on what is put back.
  for (const each of triggers) sql.exec(each);
  for (const [key, value] of values) kv.put(key, value);
}
