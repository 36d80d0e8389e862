/**
 * The documents that relationships lead to, level by level: one call per type and level. A document is shown only
 * if the key could GET it at its own address, and nothing is reached through one that is not shown.
 */
import { pathOfType, segmentOfId } from '../../../domain/addresses/paths.ts';
import { DocumentMap, linksOf, type Document, type Link } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { noMemory } from '../../../domain/work/memory.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { Reader, RequestContext } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { Inverses, type Branch, type Follow, type IncludeStep } from './include-inverses.ts';
import { noteInverses } from './inverse-links.ts';
import { noteLeftOut } from '../warnings/warnings.ts';
import { isStrict, type Unfollowed } from '../warnings/diagnostics.ts';
import { fromCollection, type Stamp } from './read-linked.ts';
import { recall } from '../../../domain/caching/recall.ts';
import { type Principal, principalOf } from '../../../domain/rules.ts';
import type { ReadPrincipal } from '../../../domain/secrets.ts';

/** The found documents, and what tags need to know of them. */
export interface Reached {
  readonly documents: readonly Document[];
  /** The counter of every type that is shown: what is hidden leaves no trace. */
  readonly counters: ReadonlyMap<string, number>;
  /** The last changes of the documents; none of what is compared by its content. */
  readonly stamps: readonly Stamp[];
  /** With strict handling, what was to be followed and leads nowhere. */
  readonly unfollowed?: readonly Unfollowed[];
}

const TOO_MANY = `An include reaches at most ${LIMITS.includedDocuments} documents of ${LIMITS.includedTypes} types.`;

/** Follows the paths of an include from the primary documents. The result does not repeat these. */
async function include(
  context: RequestContext,
  primary: readonly Document[],
  paths: readonly (readonly string[])[],
): Promise<Outcome<Reached>> {
  const known = new DocumentMap(primary);
  const found: Document[] = [];
  const gathering = new Gathering(context, 'include');
  const inverses = new Inverses(context);
  const unfollowed: Unfollowed[] = [];
  const root = recall(trees, paths, branchOf);
  let level: readonly Follow[] = primary.map((document) => ({ document, branch: root }));
  while (level.length > 0) {
    const steps: IncludeStep[] = [];
    for (const { document, branch } of level) {
      for (const name in branch) {
        const next = branch[name] ?? {};
        for (const link of follow(document, name)) steps.push({ link, next });
      }
    }
    const inverse = await inverses.follow(level);
    if (inverse === null) return tooLargeInclude();
    if (isStrict(context)) unfollowed.push(...(await unfollowedAt(level, inverses)));
    steps.push(...inverse);
    const missing = steps.map(({ link }) => link).filter((link) => known.get(link) === undefined);
    const fetched = await gathering.fetch(missing, LIMITS.includedDocuments - found.length);
    if (!fetched.ok) return fetched;
    for (const document of fetched.value) {
      known.add(document);
      found.push(document);
    }
    level = nextLevel(steps, known);
  }
  noteInverses(context, inverses.followed, known);
  const { counters, stamps } = gathering;
  return ok({
    documents: found,
    counters,
    stamps,
    unfollowed,
  });
}

/** What the steps reach: one entry per document and branch, as many documents may lead to the same one. */
function nextLevel(steps: readonly IncludeStep[], known: DocumentMap): readonly Follow[] {
  const level: Follow[] = [];
  const met = new Map<Branch, Set<Document>>();
  for (const { link, next } of steps) {
    const document = isLeaf(next) ? undefined : known.get(link);
    if (document === undefined) continue;
    const documents = recall(met, next, () => new Set<Document>());
    if (documents.has(document)) continue;
    documents.add(document);
    level.push({ document, branch: next });
  }
  return level;
}

function isLeaf(branch: Branch): boolean {
  for (const _ in branch) return false;
  return true;
}

/** The names of a level that no document of a type has, nor the type itself. */
async function unfollowedAt(level: readonly Follow[], inverses: Inverses): Promise<readonly Unfollowed[]> {
  const lacking = new Map<string, Unfollowed>();
  const had = new Set<string>();
  for (const { document, branch } of level) {
    const { type, relationships } = document;
    for (const name of Object.keys(branch)) {
      const key = `${type} ${name}`;
      if (Object.hasOwn(relationships, name)) had.add(key);
      else lacking.set(key, { type, name });
    }
  }
  const all = await Promise.all(
    Array.from(lacking, async ([key, each]) =>
      had.has(key) || (await inverses.has(each.type, each.name)) ? [] : [each],
    ),
  );
  return all.flat();
}

/** The documents of the query's include; null without one. */
export async function reach(
  context: RequestContext,
  primary: readonly Document[],
): Promise<Outcome<Reached | null>> {
  const paths = context.query.include;
  return paths === null ? ok(null) : include(context, primary, paths);
}

/** The documents that links lead to, in the order of the links. */
export async function related(context: RequestContext, links: readonly Link[]): Promise<Outcome<Reached>> {
  const gathering = new Gathering(context, null);
  const fetched = await gathering.fetch(links, LIMITS.followedLinks);
  if (!fetched.ok) return fetched;
  const known = new DocumentMap(fetched.value);
  const documents = links.flatMap((link) => known.get(link) ?? []);
  const { counters, stamps } = gathering;
  return ok({ documents, counters, stamps });
}

/** What was found first, and what was reached from there later: where both asked a type, the older counter counts. */
export function together(first: Reached, later: Reached | null): Reached {
  if (later === null) return first;
  return {
    documents: [...first.documents, ...later.documents],
    counters: new Map([...later.counters, ...first.counters]),
    stamps: [...first.stamps, ...later.stamps],
    unfollowed: later.unfollowed ?? [],
  };
}

/** The reads of one answer, with limits for all of them together. */
class Gathering {
  readonly counters = new Map<string, number>();
  readonly stamps: Stamp[] = [];
  readonly #context: RequestContext;
  readonly #parameter: 'include' | null;
  #followed = 0;
  #units = 0;

  /** `parameter`: what asks for the documents. */
  constructor(context: RequestContext, parameter: 'include' | null) {
    this.#context = context;
    this.#parameter = parameter;
  }

  /** The existing documents of links whose own address the key may GET, up to a limit. */
  async fetch(links: readonly Link[], limit: number): Promise<Outcome<readonly Document[]>> {
    const groups = groupsOf(this.#context, links, this.#parameter);
    if (groups === null) return tooLargeInclude();
    this.#followed += groups.reduce((sum, { ids }) => sum + ids.length, 0);
    if (this.#followed > LIMITS.followedLinks || groups.length > LIMITS.includedTypes)
      return tooLargeInclude();
    const answers = await Promise.all(groups.map((group) => this.#fetchGroup(group, limit)));
    const documents: Document[] = [];
    for (const answer of answers) {
      if (!answer.ok) return answer;
      documents.push(...answer.value);
    }
    if (documents.length > limit || this.#units > LIMITS.answer) return tooLargeInclude();
    return ok(documents);
  }

  async #fetchGroup(group: Group, limit: number): Promise<Outcome<readonly Document[]>> {
    const readLinked = kindOfType(group.type).readLinked ?? fromCollection;
    const found = await readLinked(this.#context, { ...group, limit, units: LIMITS.answer - this.#units });
    if (!found.ok) return found;
    if (found.value === null) return tooLargeInclude();
    const { documents, units, counters, stamps } = found.value;
    this.#units += units;
    const { memory } = this.#context;
    if (units > LIMITS.sentAtOnce && (await memory?.hold(2 * units)) === false) return noMemory();
    if (documents.length > 0)
      for (const { type, version } of counters) keepOlder(this.counters, type, version);
    this.stamps.push(...stamps);
    return ok(documents);
  }
}

/** A type that is asked twice keeps the older counter: a change in between must count. */
export function keepOlder(counters: Map<string, number>, type: string, counter: number): Map<string, number> {
  return counters.set(type, Math.min(counter, counters.get(type) ?? counter));
}

/** Documents of one type that one viewer asks for together. */
interface Group extends Principal {
  readonly type: TypeName;
  readonly ids: DocumentId[];
}

/**
 * Links whose own address the key may GET, by how it would: a type is asked once for documents that need a right, and
 * once for documents under a permission without ACL; so what is hidden of all documents of a group is the same. Null
 * when the key's patterns take too much work.
 */
export function groupsOf(
  context: Reader,
  links: readonly Link[],
  parameter: 'include' | null = null,
): readonly Group[] | null {
  const groups: Group[] = [];
  const kinds = new Map<TypeName, Kind>();
  for (const { type, id } of links) {
    const kind = recall(kinds, type, kindOfLinks);
    if (kind.address === null || kind.met.has(id)) continue;
    kind.met.add(id);
    const admitted = context.access.viewerOf(`${kind.address}/${segmentOfId(id)}`);
    if (admitted === null) {
      noteLeftOut(context, type, parameter);
      continue;
    }
    if (admitted === 'exhausted') return null;
    let alike = kind.admitted.find(({ as }) => asksAlike(as, admitted));
    if (alike === undefined) {
      alike = { as: admitted, group: { type, ...principalOf(admitted), ids: [] } };
      kind.admitted.push(alike);
      groups.push(alike.group);
    }
    alike.group.ids.push(id);
  }
  return groups;
}

/** The links to one type. */
interface Kind {
  /** The address of the type; null where no endpoint gives its documents. */
  readonly address: string | null;
  readonly met: Set<DocumentId>;
  readonly admitted: { readonly as: ReadPrincipal; readonly group: Group }[];
}

function kindOfLinks(type: TypeName): Kind {
  const address = typeInfo(type).unreadable === true ? null : pathOfType(type);
  return { address, met: new Set(), admitted: [] };
}

/** Whether two links are asked for in the same way. All users of one request are the same. */
function asksAlike(one: ReadPrincipal, other: ReadPrincipal): boolean {
  return (
    one.rule === other.rule &&
    (one.viewer === null) === (other.viewer === null) &&
    (one.owner === null) === (other.owner === null)
  );
}

/** The refusal of what reaches too much. */
export function tooLargeInclude() {
  return fail('include-too-large', TOO_MANY, { parameter: 'include' });
}

function follow(document: Document, name: string): readonly Link[] {
  const { relationships } = document;
  return Object.hasOwn(relationships, name) ? linksOf(relationships[name] ?? null) : [];
}

/** The trees of queries, which are read once for many requests (http/query.ts). */
const trees = new WeakMap<readonly (readonly string[])[], Branch>();

/** Paths as a tree, so that `a` and `a.b` share one step and intermediate documents are included. */
function branchOf(paths: readonly (readonly string[])[]): Branch {
  const firsts = Map.groupBy(
    paths.filter((path) => path.length > 0),
    ([first = '']) => first,
  );
  return Object.fromEntries(
    Array.from(firsts, ([name, group]) => [name, branchOf(group.map((path) => path.slice(1)))]),
  );
}
