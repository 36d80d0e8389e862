/** What was pushed to a collection by those that are about it: schemas and webhooks, each in a table of its own. */
import type { CopiedPart } from '../../../domain/types/facts.ts';
import type { PushedDocument } from '../../rpc/contract.ts';

const NUMBERS: Readonly<Record<CopiedPart, string>> = {
  schemas: 'schema_pushes',
  webhooks: 'webhook_numbers',
};

/** Replaces all that was pushed by these documents, unless newer ones are there: then false. `number` orders pushes. */
export function replacePushed(
  sql: SqlStorage,
  part: CopiedPart,
  number: number,
  documents: readonly PushedDocument[],
): boolean {
  const numbers = NUMBERS[part];
  const [row] = sql.exec<{ number: number }>(`SELECT number FROM ${numbers}`).toArray();
  if (row !== undefined && row.number >= number) return false;
  sql.exec(`DELETE FROM ${part}`);
  for (const { id, content } of documents) sql.exec(`INSERT INTO ${part} VALUES (?, ?)`, id, content);
  sql.exec(`INSERT OR REPLACE INTO ${numbers} VALUES (1, ?)`, number);
  return true;
}
