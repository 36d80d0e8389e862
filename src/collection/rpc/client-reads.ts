/** The reads of a collection, as handlers ask for them: stubs, packing and opening stay here. */
import { ok, type Outcome } from '../../domain/problems.ts';
import type { Document, Link } from '../../domain/documents.ts';
import type { Right } from '../../domain/rights.ts';
import { principalOf, type Principal, type Rule } from '../../domain/rules.ts';
import type { TypeSettings } from '../../domain/type-settings.ts';
import type { Stopwatch } from '../../domain/stopwatch.ts';
import { type DocumentId, type ApplicationId } from '../../domain/ids.ts';
import type { StorageQuotas } from '../../domain/applications/quotas.ts';
import { isUnderQuotas, type TypeName } from '../../domain/types.ts';
import type { Auditor } from './upkeep/audit.ts';
import type { AggregateRequest, OutputPage, PackedOutputs } from './aggregates.ts';
import type { StoredDocument } from './packing/content.ts';
import type { CollectionObject } from './contract.ts';
import { LazyDocument, Output } from './packing/documents.ts';
import type { Environment } from './environment.ts';
import type { FeedPage, FeedRequest } from './feed/feed.ts';
import type { Lookup } from './lookup.ts';
import { stubOf } from './objects.ts';
import type { Once } from './once.ts';
import type { Attempt } from './operations.ts';
import { isLarge, packRequest, unpackDocuments, unpackList, unpackRead } from './packing/packing.ts';
import type { Person, Traces } from './upkeep/people.ts';
import { settleRule } from './rules.ts';
import type { WriteTarget } from './upkeep/shares.ts';
import type { CountedRequests, TypeUsage } from './upkeep/usage.ts';
import type { Precondition } from './precondition.ts';
import { unpackExported, type Exported, type ExportPage, type Holding } from './upkeep/transfer.ts';
import type { MatchingRequest, MatchingResult, Through } from './related.ts';
import type {
  AclReadResult,
  ListRequest,
  ListResult,
  ReadManyRequest,
  ReadManyResult,
  ReadResult,
  Written,
} from './results.ts';

/** Who asks: the application's collections are those that the environment holds under its name. */
export interface Asker {
  readonly environment: Pick<Environment, 'COLLECTIONS'>;
  readonly application: ApplicationId;
  /** What the application may store, where something limits those who ask. */
  readonly quotas?: StorageQuotas | undefined;
  /** Who they are, where the application keeps an audit trail. */
  readonly auditor?: Auditor | undefined;
  /** Measures the calls. */
  readonly calls?: Stopwatch | undefined;
}

/** The rule under which the operation at a position of a list is done. */
export type RuleAt = (at: number) => Rule | null;

/** What a client asks of a collection. The contract (contract.ts) describes each method. */
export class CollectionReader {
  protected readonly name: WriteTarget;
  protected readonly object: DurableObjectStub<CollectionObject>;
  #settings: Promise<TypeSettings | null> | undefined;

  constructor({ environment, application, auditor, quotas, calls }: Asker, type: TypeName) {
    const isLimited = quotas !== undefined && isUnderQuotas(type);
    const name = { application, type };
    // What crosses the RPC has no members for what there is not.
    this.name =
      isLimited || auditor !== undefined
        ? { ...name, ...(isLimited && { quotas }), ...(auditor !== undefined && { auditor }) }
        : name;
    const stub = stubOf(environment, this.name);
    this.object = calls === undefined ? stub : measured(stub, calls);
  }

  async read(id: DocumentId, principal: Principal, provenance = false): Promise<ReadResult<LazyDocument>> {
    const { viewer, rule } = principal;
    const told = viewer === null && rule === null ? null : this.told({ viewer, rule });
    const read = unpackRead(await this.object.read(id, told, provenance));
    if (read.state !== 'found') return read;
    return { state: 'found', counter: read.counter, document: this.open(read.document, rule) };
  }

  async readMany(request: ReadManyRequest): Promise<ReadManyResult<readonly LazyDocument[]>> {
    const read = await this.object.readMany(this.told(request));
    return { ...read, documents: this.#openAll(read.documents, request.rule) };
  }

  async missing(ids: readonly DocumentId[]): Promise<readonly DocumentId[]> {
    return this.object.missing(ids);
  }

  async readAcl(id: DocumentId, principal: Principal): Promise<AclReadResult> {
    return this.object.readAcl(id, this.told(principalOf(principal)));
  }

  async findUnique(name: string, value: string): Promise<LazyDocument | null> {
    const stored = await this.object.findUnique(name, value);
    return stored && this.open(stored, null);
  }

  async groupsOf(identity: string): Promise<readonly DocumentId[]> {
    return this.object.groupsOf(identity);
  }

  /** Asked once: a request goes by the settings that it has met first. */
  settings(): Promise<TypeSettings | null> {
    return (this.#settings ??= this.#askSettings());
  }

  async #askSettings(): Promise<TypeSettings | null> {
    return this.object.settings();
  }

  async vouches(holder: Link, version: number, token: DocumentId): Promise<boolean> {
    return this.object.vouches(holder, version, token);
  }

  async hasType(type: TypeName): Promise<boolean> {
    return this.object.hasType(type);
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
    const asked = through === undefined ? request : { ...request, through: through.names };
    const packed = await this.object.list(this.name, packRequest(this.told(asked)));
    if ('linked' in packed) {
      const condition = await (through?.condition(packed.linked) ?? ok(request.condition));
      return condition.ok ? this.list({ ...request, condition: condition.value }, use) : condition;
    }
    const listed = unpackList(packed);
    if (!listed.ok) return listed;
    const used = await use({
      ...listed.value,
      documents: this.#openAll(listed.value.documents, request.rule),
    });
    // The collection sends few large pages at a time, and waits until it hears that one has been used.
    if (isLarge(listed.value.documents.length)) await this.object.taken();
    return used;
  }

  /** Opens a stream of changes: the answer has its socket. */
  async stream(request: Request): Promise<Response> {
    return this.object.fetch(request);
  }

  /** A page of the feed of changes; null where the condition looks at linked documents. */
  async feed(request: FeedRequest): Promise<Outcome<FeedPage<readonly LazyDocument[]> | null>> {
    const { again } = request;
    const groups = again?.groups.map((group) => this.told(group));
    const page = await this.object.feed(this.name, {
      ...this.told(request),
      ...(again !== undefined && groups !== undefined && { again: { ...again, groups } }),
    });
    if ('linked' in page) return ok(null);
    if (!page.ok) return page;
    return ok({ ...page.value, documents: this.#openAll(page.value.documents, request.rule) });
  }

  async matching(request: MatchingRequest): Promise<MatchingResult> {
    return this.object.matching(this.name, this.told(request));
  }

  /** The condition to search by, after the linked documents were asked; `through`: how. */
  async settled(
    { condition, hidden, viewer, rule }: Pick<ListRequest, 'condition' | 'hidden' | 'viewer' | 'rule'>,
    through?: Through,
  ): Promise<Outcome<string>> {
    if (through === undefined) return ok(condition);
    let settled = condition;
    const page = { after: null, limit: 1, counted: false };
    const asked = { condition, hidden, viewer, rule, sort: [], page, provenance: false };
    const read = await this.list(asked, () => Promise.resolve(ok(null)), {
      ...through,
      condition: async (linked) => {
        const made = await through.condition(linked);
        if (made.ok) settled = made.value;
        return made;
      },
    });
    return read.ok ? ok(settled) : read;
  }

  async aggregate(request: AggregateRequest): Promise<Outcome<OutputPage<readonly Output[]>>> {
    const ran = await this.object.aggregate(this.name, this.told(request));
    if (!ran.ok) return ran;
    return ok({ ...ran.value, documents: openOutputs(request.outputType, ran.value.documents) });
  }

  async allows(id: DocumentId, right: Right, precondition: Precondition): Promise<Outcome<null>> {
    return this.object.allows(id, right, this.told(precondition));
  }

  /** What a create or an update that is done once came to before; null if it was not done. */
  async writtenBefore(once: Once, rule: Rule | null): Promise<Outcome<Written<Document> | null>> {
    const before = await this.object.outcomeOf(once);
    if (!before.ok || before.value === null) return before.ok ? ok(null) : before;
    return ok(this.written(JSON.parse(before.value) as Written, rule));
  }

  /** The same of a list of writes. */
  async listedBefore(once: Once, ruleAt: RuleAt): Promise<Outcome<readonly Attempt<Document>[] | null>> {
    const before = await this.object.outcomeOf(once);
    if (!before.ok || before.value === null) return before.ok ? ok(null) : before;
    return ok(this.openDone(JSON.parse(before.value) as readonly Attempt[], ruleAt));
  }

  async exportPage(
    after: string | null,
    limit: number,
  ): Promise<Outcome<ExportPage<Exported<LazyDocument>>>> {
    const page = await this.object.exportPage(after, limit);
    if (!page.ok) return page;
    const documents = page.value.documents.map((packed) => {
      const { document, acl } = unpackExported(packed);
      return { document: this.open(document, null), acl };
    });
    return ok({ ...page.value, documents });
  }

  async unknown(ids: readonly DocumentId[]): Promise<readonly DocumentId[]> {
    return this.object.unknown(ids);
  }

  async traces(person: Person): Promise<Traces> {
    return this.object.traces(person);
  }

  async holding(): Promise<Holding> {
    return this.object.holding();
  }

  async usage(): Promise<TypeUsage> {
    return this.object.usage();
  }

  async requests(): Promise<CountedRequests> {
    return this.object.requests();
  }

  async current(id: DocumentId): Promise<Lookup> {
    return this.object.current(id);
  }

  async lookUp(id: DocumentId): Promise<Lookup> {
    return this.object.lookUp(this.name, id);
  }

  protected openDone(done: readonly Attempt[], ruleAt: RuleAt): readonly Attempt<Document>[] {
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

  /** What is asked, with the rule as it is for this type. Without a rule that is what came. */
  protected told<Asked extends Pick<Principal, 'rule'>>(asked: Asked): Asked {
    return asked.rule === null ? asked : { ...asked, rule: settleRule(asked.rule, this.name.type) };
  }
}

/** The same object, whose calls count. */
function measured<Stub extends object>(stub: Stub, calls: Stopwatch): Stub {
  return new Proxy(stub, {
    get: (object, name) => {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => calls.during(() => Reflect.apply(member, object, given) as unknown);
    },
  });
}

function openOutputs(type: TypeName, { ids, bodies, relationships }: PackedOutputs): readonly Output[] {
  return ids.map((id, index) => new Output(type, id, bodies[index] ?? '{}', relationships?.[index] ?? []));
}
