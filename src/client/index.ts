/** A client of Foredge for browsers, Node and Workers, without dependencies (docs/client.md). */
import { Database } from './database.ts';
import type { SessionSettings } from './session.ts';
import type { Untyped } from './types.ts';

/** An application of a service. Nothing is asked yet. */
export function connect<Types = Untyped>(settings: SessionSettings): Database<Types> {
  return new Database<Types>(settings);
}

export { dataOf, relation } from './changes.ts';
export { ConflictError, ForedgeError, type ErrorObject } from './errors.ts';
export { documentsOf } from './documents.ts';
export { parametersOf } from './query.ts';
export { Decimal, ObjectId, write } from './values.ts';
export type { Core } from './core.ts';
export type { Database, Feed } from './database.ts';
export type { Files } from './files/types.ts';
export type { List, Page, PageOptions } from './list.ts';
export type { Login, SessionSettings } from './session.ts';
export type { Transaction } from './transaction.ts';
export type {
  Changes,
  Document,
  Filter,
  New,
  Outcome,
  Query,
  Reference,
  Rights,
  Target,
  Untyped,
} from './types.ts';
