/**
 * A collection as everybody but its object sees it: its methods take and give documents. Only this client, and the
 * object itself, know where the object is, what crosses the RPC, and how that is packed.
 */
import { ok, type Outcome } from '../../domain/problems.ts';
import type { Content, Document } from '../../domain/documents.ts';
import type { AclLevel, Grant } from '../../domain/rights.ts';
import type { Rule } from '../../domain/rules.ts';
import type { Fields } from '../../domain/values/values.ts';
import { encodeText } from '../../domain/values/codec.ts';
import type { DocumentId } from '../../domain/ids.ts';
import type { TypeName } from '../../domain/types.ts';
import {
  type BulkRequest,
  type Once,
  seenBy,
  type Change,
  type ListOutcome,
  type WriteList,
  type WriteListResult,
  type Precondition,
} from './writes/operations.ts';
import type { VersionAsked } from './history.ts';
import { LOOKUPS_AT_ONCE } from './maintenance/lookup.ts';
import { settled, type Settleable } from './following.ts';
import {
  packChange,
  packDraft,
  packOperations,
  type NewDocument,
  type PackedWrite,
  unpackWrite,
} from './packing/packing.ts';
import { BEGINS_AGAIN } from './outages.ts';
import { packLine, type ImportBatch, type ImportResult } from './maintenance/transfer.ts';
import type { AclResult, DeleteResult, Written } from './results.ts';
import {
  withSeen,
  type Share,
  type TransactionResult,
  type TransactionResults,
} from './writes/transactions.ts';
import { recall } from '../../domain/caching/recall.ts';
import { linkedBy, linksOfChange, linksOfOperation, type LinkedTypes } from './related.ts';
import type { CallContext } from './call-context.ts';
import { CollectionReader, type RuleAt } from './client-reads.ts';

/** The clients of each request, by type: one request calls the same collection several times. */
const clients = new WeakMap<CallContext, Map<string, CollectionClient>>();

/** An application's collection of one type. The client is as short-lived as the caller, which is one request. */
export function collectionOf(caller: CallContext, type: TypeName): CollectionClient {
  const ofAsker = recall(clients, caller, () => new Map<string, CollectionClient>());
  return recall(ofAsker, type, () => new CollectionClient(caller, type));
}

/** Performs writes of several collections, all or none. The shares are in the order of their types. */
export async function transact(
  caller: CallContext,
  shares: readonly Share<Content>[],
  once: Once | null,
): Promise<TransactionResult<Document>> {
  const types = shares.map(({ type }) => type);
  const { calls } = coordinatorOf(caller, types);
  const written = await settled(`${caller.application}/${types.join()}`, async () => {
    const packed: Share[] = [];
    for (const [share, { type, list }] of shares.entries()) {
      const packing = await collectionOf(caller, type).packList(list);
      if (!packing.ok) return { ok: false, share, failure: packing.failure } as const;
      packed.push({ type, list: packing.done });
    }
    const seen = packed.flatMap(({ list }) => seenBy(list));
    return calls.transact({
      shares: packed.map((share) => withSeen(share, share.type, seen)),
      ...(once !== null && { once }),
    });
  });
  if (!written.ok) return written;
  const rules = shares.map(({ list }) => rulesOf(list));
  return { ok: true, done: openShares(caller, types, rules, written.done) };
}

/** What the same writes came to before; null if they were not done. */
export function transactedBefore(
  caller: CallContext,
  types: readonly TypeName[],
  rules: readonly RuleAt[],
  once: Once | null,
): Promise<Outcome<TransactionResults<Document> | null>> {
  return coordinatorOf(caller, types).doneBefore(once, (done) =>
    openShares(caller, types, rules, done as TransactionResults),
  );
}

function coordinatorOf(caller: CallContext, types: readonly TypeName[]): CollectionClient {
  const type = types.at(-1);
  if (type === undefined) throw new Error('A transaction has a share.');
  return collectionOf(caller, type);
}

function openShares(
  caller: CallContext,
  types: readonly TypeName[],
  rules: readonly RuleAt[],
  done: TransactionResults,
): TransactionResults<Document> {
  return types.map((type, share) =>
    collectionOf(caller, type).openDone(done[share] ?? [], rules[share] ?? (() => null)),
  );
}

const NO_LINKS = (): readonly LinkedTypes[] => [];

/** The rule under which each operation of a list is done. */
function rulesOf({ actors, operations }: Pick<WriteList<Content>, 'actors' | 'operations'>): RuleAt {
  return (at) => actors[operations[at]?.actor ?? 0]?.rule ?? null;
}

/** Reads, and writes beside them. The contract (contract.ts) describes each method. */
export class CollectionClient extends CollectionReader {
  create(document: NewDocument): Promise<Outcome<Written<Document>>> {
    return this.#write(document.rule ?? null, async () =>
      this.calls.create(await this.ruled(packDraft(document), () => linkedBy(document.content))),
    );
  }

  /** `asSent`: attributes as sent, where they are stored in another form. */
  async update(
    id: DocumentId,
    change: Change<Content>,
    precondition: Precondition,
    asSent: Fields | null = null,
    once?: Once,
  ): Promise<Outcome<Written<Document>>> {
    const overlay = asSent && encodeText(asSent);
    const packed = packChange(change);
    return this.#write(precondition.rule, async () => {
      const ruled = await this.#precondition(precondition, () => linksOfChange(change));
      return this.calls.update(id, packed, ruled, overlay, once);
    });
  }

  async restore(
    { readers, ...version }: VersionAsked,
    precondition: Precondition,
    once?: Once,
  ): Promise<Outcome<Written<Document>>> {
    const sent = { ...version, readers: await Promise.all(readers.map((each) => this.ruled(each))) };
    return this.#write(precondition.rule, async () =>
      this.calls.restore(sent, await this.#precondition(precondition), once),
    );
  }

  async remove(id: DocumentId, precondition: Precondition): Promise<DeleteResult> {
    return this.#settled(async () => this.calls.remove(id, await this.#precondition(precondition)));
  }

  async writeList(list: WriteList<Content>): Promise<WriteListResult<Document>> {
    const written = await this.#settled(async () => {
      const packed = await this.packList(list);
      return packed.ok ? this.calls.writeList(packed.done) : packed;
    });
    return written.ok ? { ok: true, done: this.openDone(written.done, rulesOf(list)) } : written;
  }

  /** A list as the object takes it, or the failure of the operation with which it is too large. */
  async packList({ operations, ...list }: WriteList<Content>): Promise<ListOutcome<WriteList>> {
    const packing = packOperations(operations);
    if (!packing.ok) return packing;
    const links = () => operations.flatMap(linksOfOperation);
    const actors = await Promise.all(list.actors.map((actor) => this.ruled(actor, links)));
    return { ok: true, done: { ...list, actors, operations: packing.done } };
  }

  async bulk({ reader, writer, change, ...request }: BulkRequest<Content>): Promise<Outcome<number>> {
    return this.#settled(async () =>
      this.calls.bulk({
        ...request,
        reader: await this.ruled(reader, NO_LINKS),
        writer: await this.ruled(writer, () => (change === null ? [] : linksOfChange(change))),
        change: change && packChange(change),
      }),
    );
  }

  async updateAcl(
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult> {
    return this.#settled(async () =>
      this.calls.updateAcl(id, level, grants, await this.#precondition(precondition)),
    );
  }

  async importLines({ lines, ...batch }: ImportBatch<Content>): Promise<Outcome<ImportResult>> {
    return this.calls.importLines({ ...batch, lines: lines.map(packLine) });
  }

  /** Returns the ids whose lookups have to be made good afterwards: some are unknown then. */
  async prepareRewind(bookmark: string): Promise<readonly DocumentId[]> {
    const ids = await this.#withdrawLookups(false);
    await this.calls.prepareRewind(bookmark);
    return ids;
  }

  /** To be called last: the client has met the end of its object, and the next call needs another. */
  async beginAgain(): Promise<void> {
    try {
      await this.calls.beginAgain();
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes(BEGINS_AGAIN)) throw error;
    }
  }

  /** Lookups end before the documents are deleted: a repeated deletion must find again what it has to end. */
  async erase(): Promise<readonly DocumentId[]> {
    const ended = await this.#withdrawLookups(true);
    await this.calls.erase();
    return ended;
  }

  /** Each call is an invocation of its own, with its own share of calls to KV. */
  async #withdrawLookups(forever: boolean): Promise<readonly DocumentId[]> {
    const all: DocumentId[] = [];
    for (;;) {
      const ids = await this.calls.withdrawLookups({ forever, skip: all.length });
      all.push(...ids);
      if (ids.length < LOOKUPS_AT_ONCE) return all;
    }
  }

  #settled<T extends Settleable>(write: () => Promise<T>): Promise<T> {
    return settled(`${this.name.application}/${this.name.type}`, write);
  }

  /** What a write of one document comes to, opened for who writes under a rule. */
  async #write(rule: Rule | null, write: () => Promise<PackedWrite>): Promise<Outcome<Written<Document>>> {
    const written = await this.#settled(async () => unpackWrite(await write()));
    return written.ok ? ok(this.written(written.value, rule)) : written;
  }

  /** `links`: those that the write brings. */
  async #precondition({ reader, ...precondition }: Precondition, links = NO_LINKS): Promise<Precondition> {
    return {
      ...(await this.ruled(precondition, links)),
      ...(reader !== undefined && { reader: await this.ruled(reader, links) }),
    };
  }
}
