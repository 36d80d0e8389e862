/** What somebody sees of the documents of a feed, as they are and as they were: by filter, rights and rules. */
import { WORK } from '../../domain/limits.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { principalOf, type Principal } from '../../domain/rules.ts';
import type { Acl } from '../../domain/rights.ts';
import { ObjectId } from '../../domain/values/values.ts';
import { WorkBudget } from '../../domain/work.ts';
import { withoutFields } from '../../operators/filter/hidden.ts';
import { compileMatcher } from '../../operators/filter/match.ts';
import type { Matcher } from '../../operators/filter/matcher.ts';
import type { FeedRequest } from '../rpc/feed/feed.ts';
import { flatOf, type StoredDocument } from '../rpc/packing/content.ts';
import { unpackDocument } from '../rpc/packing/packing.ts';
import { Judge } from '../rpc/rules.ts';
import { conditionOf } from '../search/search.ts';
import type { ChangeRow, FormerState } from '../storage/beside/feed-tables.ts';
import type { Transactor } from '../write/transactor.ts';

type Tables = Pick<Transactor, 'rights' | 'obedience'>;
type Seen = Pick<StoredDocument, 'id' | 'body' | 'provenance'>;

export class Sight {
  /** The work of the filter's patterns over all documents. */
  readonly budget = new WorkBudget(WORK.patterns);
  readonly #tables: Tables;
  readonly #type: string;
  readonly #matches: Matcher;
  readonly #judge = new Judge();
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
    const condition = withoutFields(conditionOf(request), { hidden, only: rule?.read ?? null });
    this.#matches = compileMatcher(condition, { budget: this.budget });
    this.#others =
      again === undefined
        ? null
        : new Map(again.groups.flatMap((group) => group.ids.map((id) => [id, principalOf(group)] as const)));
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
    return ({ id, seq, packed }) => {
      if (seq === null || packed === null) return false;
      const asked = this.#askedOf(id);
      const mayRead = asked.every((each) => readable.get(each)?.has(seq) ?? true);
      return mayRead && this.#meets(asked, unpackDocument(packed));
    };
  }

  /** Whether a former state was seen. */
  had(id: DocumentId, { acl, ...state }: FormerState): boolean {
    const asked = this.#askedOf(id);
    const document = { id, version: 0, aclVersion: 0, seq: 0, ...state };
    const readers = asked.every(({ viewer }) => viewer === null)
      ? new Set<string>()
      : new Set(this.#tables.obedience.readersOf(document, acl === null ? {} : (JSON.parse(acl) as Acl)));
    return (
      asked.length > 0 &&
      asked.every(({ viewer }) => viewer === null || viewer.some((identity) => readers.has(identity))) &&
      this.#meets(asked, document)
    );
  }

  /** As whom a document must be seen: nobody sees what no group has. */
  #askedOf(id: string): readonly Principal[] {
    if (this.#others === null) return [this.#principal];
    const other = this.#others.get(id);
    return other === undefined ? [] : [this.#principal, other];
  }

  #meets(asked: readonly Principal[], document: Seen): boolean {
    if (asked.length === 0) return false;
    const fields = { ...flatOf(document), id: new ObjectId(document.id), type: this.#type };
    return this.#matches(fields) && asked.every((each) => this.#judge.maySee(each, document));
  }
}
