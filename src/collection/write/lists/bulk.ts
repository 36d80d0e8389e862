/**
 * A write of every document that a search finds. The search runs in steps, as any; then one transaction looks at each
 * document again, because it may have changed meanwhile, and writes all of them or none.
 */
import { LIMITS, WORK } from '../../../domain/limits.ts';
import { fail, ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import type { TypeName } from '../../../domain/types.ts';
import { ObjectId } from '../../../domain/values/values.ts';
import { WorkBudget } from '../../../domain/work/work.ts';
import { withoutFields } from '../../../operators/filter/hidden.ts';
import { compileMatcher } from '../../../operators/filter/matcher.ts';
import { excessive } from '../../../operators/query/patterns.ts';
import { decodeCondition } from '../../../operators/filter/encoded.ts';
import { textMatcher } from '../../../query/text/search.ts';
import type { BulkRequest } from '../../rpc/writes/operations.ts';
import { flatOf, type StoredDocument } from '../../../domain/values/stored.ts';
import { unpackDocuments } from '../../rpc/packing/packing.ts';
import { Policy } from '../../rpc/rules.ts';
import type { ListRequest, ListResult } from '../../rpc/results.ts';
import type { Positioned } from '../../storage/documents/documents.ts';
import { visibilityOf } from './batch.ts';
import { Effort } from './effort.ts';
import { Undone } from './undone.ts';
import type { Transactor } from '../transactor.ts';

/** Documents of one page of the search. */
const TOGETHER = 100;

/** A page of a search of the collection. */
export type ListPages = (type: TypeName, request: ListRequest) => Promise<Outcome<ListResult>>;

interface Found {
  readonly id: DocumentId;
  readonly version: number;
}

export class Bulk {
  readonly #tables: Transactor;
  readonly #type: TypeName;
  readonly #request: BulkRequest;
  readonly #policy = new Policy();

  constructor(tables: Transactor, type: TypeName, request: BulkRequest) {
    this.#tables = tables;
    this.#type = type;
    this.#request = request;
  }

  /** What the search finds, if it is no more than the limit. */
  async find(list: ListPages): Promise<Outcome<readonly Found[]>> {
    const { condition, hidden, reader, limit } = this.#request;
    const search = { condition, hidden, sort: [], ...reader, auditFields: true };
    const mayBeWritten = this.#mayBeWritten();
    const found: Found[] = [];
    let looked = 0;
    let after: string | null = null;
    for (let more = true; more;) {
      if (looked >= LIMITS.bulkLooked) return tooManyLooked();
      const page = { after, limit: Math.min(limit + 1, TOGETHER), counted: false };
      const listed: Outcome<ListResult> = await list(this.#type, { ...search, page });
      if (!listed.ok) return listed;
      for (const document of unpackDocuments(listed.value.documents)) {
        const { id, version } = document;
        if (mayBeWritten(document)) found.push({ id, version });
      }
      if (found.length > limit) return tooMany(limit);
      looked += page.limit;
      ({ more, next: after } = listed.value);
    }
    return ok(found);
  }

  /** Writes what was found and is found still, and tells how many that were; or throws `Undone`. */
  write(found: readonly Found[]): number {
    return this.#tables.together(() => this.#writeAll(found));
  }

  #writeAll(found: readonly Found[]): number {
    const isFound = this.#isFound();
    let count = 0;
    const effort = new Effort();
    const { records, typeRules } = this.#tables;
    const foreseen = typeRules.foresee(this.#type, [this.#request.writer.rule], () =>
      found.flatMap(({ id }) => records.find(id) ?? []),
    );
    if (!foreseen.ok) throw undone(0, foreseen.problems);
    for (const [at, { id, version }] of found.entries()) {
      const before = this.#tables.records.find(id);
      if (before === undefined || !isFound(before, version)) continue;
      if (this.#tables.expiries.has(before)) continue;
      const { checkpoint } = this.#tables.touched;
      const { knowsRights } = visibilityOf(this.#tables, this.#request.writer.viewer, id);
      const left = this.#writeOne(id);
      if (!left.ok) throw undone(at, about(id, left.problems));
      count += 1;
      const units = before.body.length + left.value + this.#tables.touched.since(checkpoint, knowsRights);
      const excess = effort.spend(units);
      if (excess !== null) throw undone(at, excess.problems);
    }
    return count;
  }

  /** Writes one document, and gives the size of what it leaves. */
  #writeOne(id: DocumentId): Outcome<number> {
    const { change, reader, writer } = this.#request;
    const precondition = { ...writer, reader, ifMatch: null };
    if (change === null) {
      const removed = this.#tables.remove(this.#type, id, precondition);
      return removed.ok ? ok(0) : removed;
    }
    const updated = this.#tables.update(this.#type, id, change, precondition, null);
    return updated.ok ? ok(updated.value.document.body.length) : updated;
  }

  /** Whether the writer has the right on a document, and its rule shows it. */
  #mayBeWritten(): (document: Pick<StoredDocument, 'id' | 'body' | 'auditFields'>) => boolean {
    const { change, writer } = this.#request;
    const { records, rights } = this.#tables;
    const right = change === null ? 'delete' : 'update';
    const sees = this.#policy.visibilityOf(writer);
    return (document) => {
      const seq = records.seqOf(document.id);
      return seq !== undefined && rights.has(writer.viewer, right, seq) && (sees === null || sees(document));
    };
  }

  /** Whether the search would find a document as it is now; one of the version that it found still matches. */
  #isFound(): (document: Positioned, version: number) => boolean {
    const { hidden, reader } = this.#request;
    const budget = new WorkBudget(WORK.patterns);
    const condition = withoutFields(decodeCondition(this.#request.condition), {
      hidden,
      only: reader.rule?.read ?? null,
    });
    const matches = compileMatcher(condition, { text: textMatcher, budget, bounded: true });
    const sees = this.#policy.visibilityOf(reader);
    const mayBeWritten = this.#mayBeWritten();
    return (document, version) => {
      if (!this.#tables.rights.has(reader.viewer, 'read', document.seq)) return false;
      if (!mayBeWritten(document) || (sees !== null && !sees(document))) return false;
      if (document.version === version) return true;
      const matching = matches({
        ...flatOf(document),
        id: new ObjectId(document.id),
        type: this.#type,
      });
      if (!budget.exceeded) return matching;
      throw undone(-1, excessive(budget, 'this collection').problems);
    };
  }
}

/** The problems of a document that the sender can list: the place in the body would not say which one it is. */
function about(id: DocumentId, problems: readonly Problem[]): readonly Problem[] {
  return problems.map(({ code, detail, meta }) => ({
    code,
    detail: `Document ${id}: ${detail}`,
    meta: { ...meta, id },
  }));
}

function undone(at: number, problems: readonly Problem[]): Undone {
  return new Undone({ at, problems, missing: [] });
}

function tooMany(limit: number): Outcome<never> {
  const detail = `The filter finds more documents than the limit of ${limit}: nothing is done.`;
  return fail('too-many-matches', detail, { pointer: '/meta/limit' });
}

function tooManyLooked(): Outcome<never> {
  const among = `Among the first ${LIMITS.bulkLooked} documents that the filter finds`;
  const detail = `${among} are too many that you may not write.`;
  return fail('too-many-matches', detail, { parameter: 'filter' });
}
