/** Lists of a collection: runs a plan over the documents, counts what matches and keeps one page of it. */
import { decodeText } from '../domain/codec.ts';
import { ok, type Outcome } from '../domain/problems.ts';
import type { Condition } from '../query/filter/conditions.ts';
import { plan } from '../query/plan.ts';
import { stored, type Reader } from './records.ts';
import type { ListRequest, ListResult } from './results.ts';

export function list(records: Reader, request: ListRequest): Outcome<ListResult> {
  const { matches } = plan(decodeText(request.condition) as unknown as Condition);
  if (matches !== null) throw new Error('No filter is known yet.');
  const documents = Array.from(records.after(0, request.offset, request.limit), stored);
  return ok({ counter: records.counter(), total: records.count(), documents });
}
