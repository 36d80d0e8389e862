/** What an application declares about its types: its schemas, settings of types and definitions of aggregates. */
import { connect, type Database } from '../src/client/index.ts';
import type { Operator } from './operator.ts';

export interface Declarations {
  readonly schemas: readonly { readonly target: string; readonly content: unknown }[];
  readonly settings: readonly {
    readonly name: string;
    readonly inverses?: unknown;
    readonly count?: unknown;
  }[];
  readonly aggregates: readonly {
    readonly 'output-type': string;
    readonly pipeline: readonly unknown[];
  }[];
}

const PERMISSIONS = [
  { path: '/schemas/core\\.(schema|type)', methods: ['get'] },
  { path: '/aggregates/core\\.aggregate', methods: ['get'] },
  { path: '/api-keys/core\\.api-key/[0-9a-f]{24}', methods: ['delete'] },
];

/** Reads them with a key of its own, which permits nothing else and is deleted afterwards. */
export async function readDeclarations(operator: Operator, application: string): Promise<Declarations> {
  const { id, apiKey } = await operator.keyWith(application, 'reads types', PERMISSIONS);
  const db = connect<object>({ url: operator.base, application, key: apiKey });
  try {
    return await declarationsIn(db);
  } finally {
    await db.delete({ type: 'core.api-key', id });
  }
}

export async function declarationsIn(db: Database<object>): Promise<Declarations> {
  return {
    schemas: await db.list('core.schema').all(),
    settings: await db.list('core.type').all(),
    aggregates: await db.list('core.aggregate').all(),
  };
}
