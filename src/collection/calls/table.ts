/** How the calls of a collection are written down: one row each, and how a row is answered. */
import type { Calls } from '../rpc/contract.ts';
import type { WriteTarget } from '../rpc/writes/target.ts';
import type { Parts } from '../parts.ts';

/** The collection that is called. */
export interface Called {
  readonly parts: Parts;
  /** As the caller names it. */
  readonly target: WriteTarget;
}

type Answer<Call extends (...given: never[]) => unknown> = (
  called: Called,
  ...given: Parameters<Call>
) => ReturnType<Call> | Promise<Awaited<ReturnType<Call>>>;

/** A call that is answered from tables; of a type that nobody uses, there are none. */
interface FromTables<Call extends (...given: never[]) => unknown> {
  readonly present: Answer<Call>;
  readonly absent: Answer<Call>;
  /** Whether it waits until schemas, settings and webhooks that it may show are in force. */
  readonly inForce?: true;
}

type Row<Call extends (...given: never[]) => unknown> = Answer<Call> | FromTables<Call>;

/** The rows of some calls. */
export type Rows<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends (...given: never[]) => unknown ? Row<Of[Name]> : never;
};

type AnyRow = Row<(...given: readonly unknown[]) => unknown>;

export function answer(called: Called, row: Rows<Calls>[keyof Calls], given: readonly unknown[]): unknown {
  // What is given is what the row takes: the client's types say so (`Remote`), and nobody else calls.
  const any = row as AnyRow;
  if (typeof any === 'function') return any(called, ...given);
  const { initialization, replication, writes } = called.parts;
  const absent = () => any.absent(called, ...given);
  const present = () => any.present(called, ...given);
  const inForce = () => replication.inForce(() => (writes.hasTables ? present() : absent()));
  return initialization.whenReady(any.inForce === true ? inForce : present, absent);
}
