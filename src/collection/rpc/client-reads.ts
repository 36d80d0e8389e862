/** The reads of a collection, as handlers ask for them: stubs, packing and opening stay here. */
import { Lru } from '../../domain/caching/lru.ts';
import { bytesInMemory, noMemory } from '../../domain/work/memory.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import type { Document } from '../../domain/documents.ts';
import type { Right } from '../../domain/rights.ts';
import { principalOf, TRUSTED, type Principal, type Rule } from '../../domain/rules.ts';
import type { TypeSettings } from '../../domain/types/settings.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { isUnderQuotas, typeInfo } from '../../domain/types/facts.ts';
import { storedType, type TypeName } from '../../domain/types.ts';
import type { WriteTarget } from './writes/target.ts';
import type {
  AggregateRequest,
  OutputPage,
  AclReadResult,
  ListRequest,
  ListResult,
  ReadManyRequest,
  ReadManyResult,
  ReadResult,
  Written,
} from './results.ts';
import type { StoredDocument } from '../../domain/values/stored.ts';
import type { CollectionObject, Remote } from './contract.ts';
import { LazyDocument, openOutputs } from './packing/documents.ts';
import type { FeedPage, FeedRequest } from './feed/feed.ts';
import type { Deleted, TrashPage, VersionRead, Which } from './history.ts';
import { callsOf, type CallContext } from './call-context.ts';
import { stubOf } from './objects.ts';
import type { Once, Attempt, Precondition } from './writes/operations.ts';
import { isLarge, packRequest, unpackDocuments, unpackList, unpackRead } from './packing/packing.ts';
import { Following } from './following.ts';
import { markOfLinked, type LinkedMark, type Met } from './feed/mark.ts';
import { isFollowed, noteFollowed, settleRule } from './rules.ts';
import {
  unpackExported,
  type ExportRequest,
  type Exported,
  type ExportPage,
} from './maintenance/transfer.ts';
import type { LinkedTypes, MatchingRequest, MatchingResult, Through } from './related.ts';

/** Bytes of the last answer to what is asked alike, where that was large: the next is expected to be as large. */
const large = new Lru<string, number>(1_000);

/** The rule under which the operation at a position of a list is done. */
export type RuleAt = (at: number) => Rule | null;

/** What a client asks of a collection. The contract (contract.ts) describes each method. */
export class CollectionReader {
  protected readonly name: WriteTarget;
  /** What needs neither packing nor a rule. */
  readonly calls: Remote;
  readonly #caller: CallContext;
  #settings: Promise<TypeSettings | null> | undefined;

  /** `own`: the object of the collection, where it asks itself. That is no call to another. */
  constructor(caller: CallContext, type: TypeName, own?: Pick<CollectionObject, 'call'>) {
    const { environment, application, auditor, quotas, requester, calls } = caller;
    this.#caller = caller;
    // What crosses the RPC has no members for what there is not.
    this.name = {
      application,
      type,
      ...(quotas !== undefined && isUnderQuotas(type) && { quotas }),
      ...(auditor !== undefined && { auditor }),
      ...(requester !== undefined && typeInfo(type).schemaTarget === true && { requester }),
    };
    const object = own ?? stubOf(environment, this.name);
    this.calls = callsOf(this.name, (...call) => object.call(...call), calls);
  }

  async read(
    id: DocumentId,
    principal: Principal,
    auditFields = false,
    counters?: ListRequest['counters'],
  ): Promise<ReadResult<LazyDocument>> {
    const { viewer, rule } = principal;
    const ruled = viewer === null && rule === null ? null : await this.ruled({ viewer, rule });
    const more = counters === undefined ? [] : [counters];
    const read = unpackRead(await this.calls.read(id, ruled, auditFields, ...more));
    if (read.state !== 'found') return read;
    return { state: 'found', counter: read.counter, document: this.open(read.document, rule) };
  }

  async readMany(request: ReadManyRequest): Promise<ReadManyResult<readonly LazyDocument[]>> {
    const read = await this.calls.readMany(await this.ruled(request));
    return { ...read, documents: this.#openAll(read.documents, request.rule) };
  }

  /** A page of the versions of a document that all of some principals may see, before one. */
  async versions(id: DocumentId, principals: readonly Principal[], before: number | null, limit: number) {
    const ruled = await Promise.all(principals.map((each) => this.ruled(each)));
    return this.calls.versions(id, ruled, before, limit);
  }

  async version(
    id: DocumentId,
    principals: readonly Principal[],
    which: Which,
  ): Promise<VersionRead<LazyDocument>> {
    const ruled = await Promise.all(principals.map((each) => this.ruled(each)));
    const read = await this.calls.version(id, ruled, which);
    if (read.state !== 'found') return read;
    const opened = read.document && this.open(read.document, null);
    const document = opened && principals.reduce((seen, { rule }) => seen.seenAs(rule?.read ?? null), opened);
    return { ...read, document };
  }

  async trash(principal: Principal, after: string | null, limit: number): Promise<TrashPage<LazyDocument>> {
    const page = await this.calls.trash(await this.ruled(principal), after, limit);
    if (page.state === 'off') return page;
    const opened = ({ edit, document }: Deleted) => ({ edit, document: this.open(document, principal.rule) });
    return { ...page, deleted: page.deleted.map(opened) };
  }

  async readAcl(id: DocumentId, principal: Principal): Promise<AclReadResult> {
    return this.calls.readAcl(id, await this.ruled(principalOf(principal)));
  }

  async findUnique(name: string, value: string): Promise<LazyDocument | null> {
    const stored = await this.calls.findUnique(name, value);
    return stored && this.open(stored, null);
  }

  /** Asked once: a request goes by the settings that it has met first. */
  settings(): Promise<TypeSettings | null> {
    return (this.#settings ??= this.calls.settings());
  }

  /**
   * One page of the matching documents, and their total number. They are valid until `use` ends. `through`: how the
   * condition asks linked documents.
   */
  async list<T>(
    request: ListRequest,
    use: (page: ListResult<readonly LazyDocument[]>) => Promise<Outcome<T>>,
    through?: Through,
  ): Promise<Outcome<T>> {
    const sent = through === undefined ? request : { ...request, through: through.names };
    const like = `list ${request.page.limit}`;
    const expected = await this.#expect(like);
    if (expected === null) return noMemory();
    const packed = await this.calls.list(packRequest(await this.ruled(sent)));
    if ('linked' in packed) {
      const condition = await (through?.condition(packed.linked) ?? ok(request.condition));
      return condition.ok ? this.list({ ...request, condition: condition.value }, use) : condition;
    }
    const listed = unpackList(packed);
    if (!listed.ok) return listed;
    const { length } = listed.value.documents;
    if (!(await this.#receive(like, expected, [listed.value.documents]))) {
      await this.calls.taken();
      return noMemory();
    }
    const used = await use({
      ...listed.value,
      documents: this.#openAll(listed.value.documents, request.rule),
    });
    // The collection sends few large pages at a time, and waits until it hears that one has been used.
    if (isLarge(length)) await this.calls.taken();
    return used;
  }

  /** Opens a stream of changes: the answer has its socket. */
  async stream(request: Request): Promise<Response> {
    return stubOf(this.#caller.environment, this.name).fetch(request);
  }

  /** A page of the feed of changes; null where the condition looks at linked documents. */
  async feed(request: FeedRequest): Promise<Outcome<FeedPage<readonly LazyDocument[]> | null>> {
    const { again } = request;
    const like = `feed ${request.limit}`;
    const expected = await this.#expect(like);
    if (expected === null) return noMemory();
    const groups = again && (await Promise.all(again.groups.map((group) => this.ruled(group))));
    const page = await this.calls.feed({
      ...(await this.ruled(request)),
      ...(again !== undefined && groups !== undefined && { again: { ...again, groups } }),
    });
    if ('linked' in page) return ok(null);
    if (!page.ok) return page;
    if (!(await this.#receive(like, expected, [page.value.documents]))) return noMemory();
    return ok({ ...page.value, documents: this.#openAll(page.value.documents, request.rule) });
  }

  async matching(request: MatchingRequest): Promise<MatchingResult> {
    return this.calls.matching(await this.ruled(request));
  }

  /** The condition to search by, after the linked documents were asked; `through`: how. */
  async settled(condition: string, through?: Through): Promise<Outcome<string>> {
    const linked = through === undefined ? [] : await this.calls.linkTypes(through.names);
    return through === undefined || linked.length === 0 ? ok(condition) : through.condition(linked);
  }

  async aggregate(request: AggregateRequest): Promise<Outcome<OutputPage<readonly LazyDocument[]>>> {
    const { outputType, select } = request;
    const like = `${outputType} ${'ids' in select ? select.ids.length : select.page.limit}`;
    const expected = await this.#expect(like);
    if (expected === null) return noMemory();
    const ran = await this.calls.aggregate(await this.ruled(request));
    if (!ran.ok) return ran;
    if (!(await this.#receive(like, expected, ran.value.documents.bodies))) return noMemory();
    return ok({ ...ran.value, documents: openOutputs(outputType, ran.value.documents) });
  }

  /** Holds memory for an answer to come, where the last one alike was large: its bytes, or null without room. */
  async #expect(like: string): Promise<number | null> {
    const expected = (this.#caller.memory && large.get(this.#keyOf(like))) ?? 0;
    return expected === 0 || (await this.#caller.memory?.hold(expected)) === true ? expected : null;
  }

  /** Holds memory for an answer that has come, if it is large; false without room. */
  async #receive(like: string, expected: number, texts: readonly string[]): Promise<boolean> {
    const key = this.#keyOf(like);
    const isSmall = !isLarge(texts.reduce((units, { length }) => units + length, 0));
    const bytes = isSmall ? 0 : texts.reduce((sum, text) => sum + bytesInMemory(text), 0);
    if (bytes > 0) large.set(key, bytes);
    else if (expected > 0) large.delete(key);
    return (
      bytes <= expected || this.#caller.memory === undefined || this.#caller.memory.hold(bytes - expected)
    );
  }

  #keyOf(like: string): string {
    return `${this.name.application}/${this.name.type} ${like}`;
  }

  async allows(id: DocumentId, right: Right, precondition: Precondition): Promise<Outcome<null>> {
    return this.calls.allows(id, right, await this.ruled(precondition));
  }

  /** What a write that is done once came to before, opened; null if it was not done, or may be done again. */
  async doneBefore<T>(once: Once | null, open: (done: unknown) => T): Promise<Outcome<T | null>> {
    if (once === null) return ok(null);
    const before = await this.calls.outcomeOf(once);
    return before.ok ? ok(before.value === null ? null : open(JSON.parse(before.value))) : before;
  }

  /** The same of a create or an update. */
  writtenBefore(once: Once | null, rule: Rule | null): Promise<Outcome<Written<Document> | null>> {
    return this.doneBefore(once, (done) => this.written(done as Written, rule));
  }

  /** The same of a list of writes. */
  listedBefore(once: Once | null, ruleAt: RuleAt): Promise<Outcome<readonly Attempt<Document>[] | null>> {
    return this.doneBefore(once, (done) => this.openDone(done as readonly Attempt[], ruleAt));
  }

  async exportPage(
    after: string | null,
    limit: number,
    sent: ExportRequest,
  ): Promise<Outcome<ExportPage<Exported<LazyDocument>>>> {
    const page = await this.calls.exportPage(after, limit, sent);
    if (!page.ok) return page;
    const opened = (packed: string) => {
      const { document, acl } = unpackExported(packed);
      const versions = page.value.living?.[document.id];
      return { document: this.open(document, null), acl, versions };
    };
    const { documents, versions } = page.value;
    return ok({
      ...page.value,
      documents: documents.map(opened),
      versions: versions.map((each) => ({
        ...each,
        former: each.former === null ? null : opened(each.former),
      })),
    });
  }

  openDone(done: readonly Attempt[], ruleAt: RuleAt): readonly Attempt<Document>[] {
    return done.map((each, at) => {
      if ('failure' in each) return each;
      const { document, ...rest } = each;
      return { ...rest, ...(document !== undefined && { document: this.open(document, ruleAt(at)) }) };
    });
  }

  protected open(stored: StoredDocument, rule: Rule | null): LazyDocument {
    return new LazyDocument(this.name.type, stored, rule?.read ?? null);
  }

  #openAll(packed: string, rule: Rule | null): readonly LazyDocument[] {
    return unpackDocuments(packed).map((stored) => this.open(stored, rule));
  }

  protected written({ document, readable }: Written, rule: Rule | null): Written<LazyDocument> {
    return { document: this.open(document, rule), readable };
  }

  /**
   * The request, with the rule as it is for this type, after asking the linked documents that it looks at. Without a
   * rule it stays. `links`: those that a write brings; only for writes there are checks.
   */
  protected async ruled<Ruled extends Pick<Principal, 'rule'>>(
    sent: Ruled,
    links?: () => readonly LinkedTypes[],
  ): Promise<Ruled> {
    const { rule } = sent;
    if (rule === null) return sent;
    const { type } = this.name;
    if (rule.follows === true && (links !== undefined || !isFollowed(rule, type)))
      await this.follow(rule, links?.());
    return { ...sent, rule: settleRule(rule, type) };
  }

  /** The same for a feed, or a list with a mark of one; null for a rule that looks at none. */
  async followed(rule: Rule | null) {
    if (rule?.follows !== true) return null;
    const { met, seen } = await this.follow(rule);
    return { met, seen, mark: () => this.#markOf(met) };
  }

  /** What came after the documents were asked is of the mark, too: the next page tells whether it meets the rule. */
  async #markOf(met: readonly Met[] | null): Promise<LinkedMark> {
    const sent = { ...TRUSTED, conditions: [], hidden: [], limit: 0 };
    const types = new Set(met?.map(({ type }) => type));
    const last = Array.from(types, async (type) => {
      const { calls } = new CollectionReader(this.#caller, storedType(type));
      return [type, (await calls.matchingSince(sent)).last] as const;
    });
    return markOfLinked(met, Object.fromEntries(await Promise.all(last)));
  }

  /** Asks the linked documents that a rule looks at, as they are now; what was seen. */
  async follow(rule: Rule, links?: readonly LinkedTypes[]) {
    const { type } = this.name;
    const sent = links === undefined ? { ...rule, check: null } : rule;
    const following = new Following((other) =>
      other === type ? this.calls : new CollectionReader(this.#caller, other).calls,
    );
    const followed = await following.follow(sent, type, links ?? []);
    const isPlain = links === undefined || followed.seen.length === 0;
    noteFollowed(rule, type, isPlain ? followed.rule : { ...followed.rule, seen: followed.seen });
    return followed;
  }
}
