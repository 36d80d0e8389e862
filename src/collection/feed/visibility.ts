/** What somebody sees of the documents of a feed, as they are and as they were: by filter, rights and rules. */
import { WORK } from '../../domain/limits.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { isRestricted, principalOf, type Principal } from '../../domain/rules.ts';
import { aclOf } from '../storage/documents/rights.ts';
import { recall } from '../../domain/caching/recall.ts';
import { ObjectId, type Fields } from '../../domain/values/values.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { withoutFields } from '../../operators/filter/hidden.ts';
import { compileMatcher, type Matcher } from '../../operators/filter/matcher.ts';
import type { FeedRequest } from '../rpc/feed/feed.ts';
import { flatOf, type StoredDocument } from '../../domain/values/stored.ts';
import { unpackDocument } from '../rpc/packing/packing.ts';
import { Policy } from '../rpc/rules.ts';
import { decodeCondition } from '../../operators/filter/encoded.ts';
import type { ChangeRow } from '../storage/secondary/feed-tables.ts';
import type { Version } from '../storage/secondary/versions.ts';
import type { Transactor } from '../write/transactor.ts';
import { digest64 } from '../../domain/digest.ts';
import type { Through } from '../rpc/feed/mark.ts';
import type { InheritedReader } from '../storage/secondary/inherited.ts';

type Tables = Pick<Transactor, 'rights' | 'constraints'>;

/** Rows and states that several look at, opened once. */
const opened = new WeakMap<object, { readonly document: StoredDocument; readonly fields: Fields }>();

export class Visibility {
  /** The work of the filter's patterns over all documents. */
  readonly budget = new WorkBudget(WORK.patterns);
  readonly #tables: Tables;
  readonly #type: string;
  readonly #matches: Matcher;
  readonly #policy = new Policy();
  readonly #principal: Principal;
  /** As whom else each document must be seen; null for nobody else. */
  readonly #others: ReadonlyMap<string, Principal> | null;

  constructor(
    tables: Tables,
    type: string,
    request: Pick<FeedRequest, 'condition' | 'hidden' | 'viewer' | 'rule' | 'again'>,
  ) {
    const { hidden, rule, again } = request;
    this.#tables = tables;
    this.#type = type;
    this.#principal = principalOf(request);
    const condition = withoutFields(decodeCondition(request.condition), { hidden, only: rule?.read ?? null });
    this.#matches = compileMatcher(condition, { budget: this.budget, bounded: true });
    this.#others =
      again === undefined
        ? null
        : new Map(again.groups.flatMap((group) => group.ids.map((id) => [id, principalOf(group)] as const)));
  }

  /** Whether rights or rules hide documents. Whoever sees all that a filter leaves out learns nothing by its order. */
  get hides(): boolean {
    return [this.#principal, ...(this.#others?.values() ?? [])].some(isRestricted);
  }

  /** Who of the rows is seen now. */
  of(rows: readonly ChangeRow[]): (row: ChangeRow) => boolean {
    const readable = new Map<Principal, ReadonlySet<number> | null>();
    const principals = [this.#principal, ...new Set(this.#others?.values() ?? [])];
    const seqs = rows.flatMap(({ seq }) => seq ?? []).sort((a, b) => a - b);
    for (const principal of principals) {
      const { viewer } = principal;
      readable.set(principal, viewer === null ? null : new Set(this.#tables.rights.readable(viewer, seqs)));
    }
    return (row) => {
      const { id, seq, packed } = row;
      if (seq === null || packed === null) return false;
      const principals = this.#principalsOf(id);
      const mayRead = principals.every((each) => readable.get(each)?.has(seq) ?? true);
      return mayRead && this.#meets(principals, row, () => unpackDocument(packed));
    };
  }

  /** Whether a version was seen. */
  had(id: DocumentId, former: Version): boolean {
    const { acl, ...state } = former;
    const principals = this.#principalsOf(id);
    const document = { id, version: 0, aclVersion: 0, seq: 0, ...state };
    const readers = principals.every(({ viewer }) => viewer === null)
      ? new Set<string>()
      : new Set(this.#tables.constraints.readersOf(document, aclOf(acl)));
    const { rights } = this.#tables;
    return (
      principals.length > 0 &&
      principals.every(
        ({ viewer }) =>
          viewer === null || rights.identitiesOf(viewer).some((identity) => readers.has(identity)),
      ) &&
      this.#meets(principals, former, () => document)
    );
  }

  /** As whom a document must be seen: nobody sees what no group has. */
  #principalsOf(id: string): readonly Principal[] {
    if (this.#others === null) return [this.#principal];
    const other = this.#others.get(id);
    return other === undefined ? [] : [this.#principal, other];
  }

  #meets(principals: readonly Principal[], of: object, open: () => StoredDocument): boolean {
    if (principals.length === 0) return false;
    const { document, fields } = recall(opened, of, () => {
      const found = open();
      return { document: found, fields: { ...flatOf(found), id: new ObjectId(found.id), type: this.#type } };
    });
    // What a rule hides is not matched: the work of that would tell of it.
    return principals.every((each) => this.#policy.maySee(each, document)) && this.#matches(fields);
  }
}

/** The rights through links of those as whom a feed is read; undefined where a type has none. */
export function throughOf(
  inherited: Pick<InheritedReader, 'changed' | 'withHeld'>,
  { viewer, again }: Pick<FeedRequest, 'viewer' | 'again'>,
): Through | undefined {
  const { changed } = inherited;
  if (changed === null) return undefined;
  const viewers = [viewer, ...(again?.groups.map((group) => group.viewer) ?? [])];
  const held = viewers.map((each) => (each === null ? '' : inherited.withHeld(each).join(' ')));
  return { changed, held: digest64(JSON.stringify(held)) };
}
