/**
 * Conditions on the fields of linked documents (`filter[author.name]`): each type that a relationship leads to is asked
 * which of its documents meet them. A linked document counts only where the key could GET it at its own address, for
 * whom it may show it: what may not be read must not be found by its fields.
 */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { askLinked, idsIn, tooMany, type IdsMet } from '../../../collection/rpc/following.ts';
import type { LinkedTypes, Through } from '../../../collection/rpc/related.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { isUnseen, principalOf, type Principal } from '../../../domain/rules.ts';
import { hiddenFields, type ReadPrincipal } from '../../../domain/secrets.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import { isAggregateType, storedType, type TypeName } from '../../../domain/types.ts';
import { EVERYTHING, type Condition } from '../../../operators/filter/conditions.ts';
import {
  answered,
  askedThrough,
  relationshipOf,
  relationshipsOf,
  type ConditionsOfType,
  type TypesOf,
} from '../../../operators/filter/through.ts';
import { decodeCondition } from '../../../operators/filter/encoded.ts';
import type { RequestContext } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { principalsOf, namesOfPrincipals } from './principals.ts';
import { parameterOf } from '../warnings/diagnostics.ts';
import { noteLeftOut } from '../warnings/warnings.ts';

/** The documents whose links are followed: for whom they are searched, and by which fields not. */
export interface Searched extends Principal {
  readonly type: TypeName;
  readonly hidden: readonly string[];
  /** What all of them meet; absent for the whole type. */
  readonly among?: Condition;
}

/** How much further one filter may go. */
interface Reach {
  /** Links of links are followed, so many more in a row. */
  readonly levels: number;
  /** Types that may be asked still, on all ways together. */
  readonly left: { types: number };
}

/** How a filter asks the documents that those of a type link to. `names`: what it may ask through. */
export function throughOf(
  context: RequestContext,
  searched: Searched,
  filter: string,
  names: readonly string[],
): Through | undefined {
  const unseen = { hidden: searched.hidden, only: searched.rule?.read ?? null };
  const shown = names.filter((name) => !isUnseen(unseen, name));
  if (shown.length === 0) return undefined;
  return {
    names: shown,
    condition: async (linked) => {
      const typesOf = typesByName(linked);
      await noteUnasked(context, searched, askedThrough(decodeCondition(filter), typesOf));
      const reach = { levels: LIMITS.linksInARow, left: { types: LIMITS.linkedTypes } };
      return rewritten(context, searched, filter, typesOf, reach);
    },
  };
}

/** The same of conditions on linked documents, which may ask those that these link to. */
async function further(
  context: RequestContext,
  searched: Searched,
  conditions: readonly string[],
  reach: Reach,
): Promise<Outcome<readonly string[]>> {
  const unseen = { hidden: searched.hidden, only: searched.rule?.read ?? null };
  const names = conditions
    .flatMap((condition) => relationshipsOf(decodeCondition(condition)))
    .filter((name) => !isUnseen(unseen, name));
  const unique = [...new Set(names)];
  const linked =
    unique.length === 0 ? [] : await collectionOf(context, searched.type).calls.linkTypes(unique);
  if (linked.length === 0) return ok(conditions);
  if (reach.levels === 0) {
    const detail = `A filter follows at most ${LIMITS.linksInARow} links in a row.`;
    return fail('invalid-filter', detail, { parameter: 'filter' });
  }
  const made: string[] = [];
  for (const condition of conditions) {
    const each = await rewritten(context, searched, condition, typesByName(linked), reach);
    if (!each.ok) return each;
    made.push(each.value);
  }
  return ok(made);
}

function typesByName(linked: readonly LinkedTypes[]): TypesOf {
  const types = new Map(linked.map((each) => [each.name, each.types]));
  return (leaf) => types.get(relationshipOf(leaf) ?? '');
}

/** The condition, in the stored encoding, with the ids of the linked documents in place of what is asked of them. */
async function rewritten(
  context: RequestContext,
  searched: Searched,
  filter: string,
  typesOf: TypesOf,
  { levels, left }: Reach,
): Promise<Outcome<string>> {
  const tree = decodeCondition(filter);
  const paths = askedThrough(tree, typesOf);
  for (const { type, path } of paths) {
    const isOutput = isAggregateType(type);
    if (isOutput && (await isSeenToLink(context, searched, path, storedType(type))))
      return throughOutputs(type);
  }
  const reached = paths.filter(({ type }) => !isAggregateType(type));
  const met = await askLinked(reached, left, (type, each) =>
    idsOf(context, type, each, { levels: levels - 1, left }),
  );
  return met.ok ? ok(encodeText(answered(tree, typesOf, idsIn(met.value)))) : met;
}

/**
 * Notes the linked types that the filter cannot ask, because the key may not GET their documents. Known links are of
 * documents, too, that the sender may not see, or that have gone: what a shown one links to is told.
 */
async function noteUnasked(
  context: RequestContext,
  searched: Searched,
  paths: readonly ConditionsOfType[],
): Promise<void> {
  const { type: owner, rule } = searched;
  if (rule !== null && (rule.where !== null || rule.read !== null)) return;
  const unasked = paths.filter(
    ({ type }) => typeInfo(type).unreadable !== true && principalsOf(context, storedType(type))?.length === 0,
  );
  for (const { type, path } of unasked) {
    if (await isSeenToLink(context, searched, path, storedType(type))) {
      noteLeftOut(context, storedType(type), parameterOf(context, owner, path.join('.')));
    }
  }
}

/** Whether a document that is shown links to the type at the first name of a path. */
async function isSeenToLink(
  context: RequestContext,
  { type: owner, viewer, rule, hidden, among = EVERYTHING }: Searched,
  [name = '']: readonly string[],
  type: TypeName,
): Promise<boolean> {
  const links: Condition = { op: 'eq', path: [name, 'type'], value: type };
  const conditions = [encodeText({ op: 'and', conditions: [among, links] })];
  const found = await collectionOf(context, owner).matching({ conditions, viewer, rule, hidden, limit: 1 });
  return found.ok && (found.value === null || found.value.flat().length > 0);
}

/**
 * The documents of a type that meet each condition, and that the request may read at their own addresses. Without a
 * reach, the conditions ask no documents that these link to.
 */
export async function idsOf(
  context: RequestContext,
  type: TypeName,
  conditions: readonly string[],
  reach: Reach | null = null,
): Promise<Outcome<IdsMet>> {
  const ids = new Map<string, readonly DocumentId[]>();
  const nameOf = namesOfPrincipals();
  const principals = kindOfType(type).readLinked === undefined ? principalsOf(context, type, nameOf) : [];
  if (principals === null) return tooMany();
  for (const principal of principals) {
    const hidden = hiddenFields(type, principal);
    const searched = { type, ...principalOf(principal), hidden };
    const reached = reach === null ? ok(conditions) : await further(context, searched, conditions, reach);
    if (!reached.ok) return reached;
    const request = {
      ...principalOf(principal),
      conditions: reached.value,
      hidden,
      limit: LIMITS.relatedDocuments,
    };
    const found = await collectionOf(context, type).matching(request);
    if (!found.ok) return found;
    if (found.value === null) return tooMany();
    for (const [index, each] of found.value.entries()) {
      const condition = conditions[index] ?? '';
      const shown = readableAs(context, type, each, (own) => nameOf(own) === nameOf(principal));
      if (shown === null) return tooMany();
      ids.set(condition, [...(ids.get(condition) ?? []), ...shown]);
    }
  }
  return ok(ids);
}

/** Those of the ids for whose own addresses the same is asked; null when the key's patterns take too long. */
function readableAs(
  { access }: RequestContext,
  type: TypeName,
  ids: readonly DocumentId[],
  isSame: (principal: ReadPrincipal) => boolean,
): readonly DocumentId[] | null {
  const readable: DocumentId[] = [];
  for (const id of ids) {
    const own = access.viewerOf(pathOfDocument(type, id));
    if (own === 'exhausted') return null;
    if (own !== null && isSame(own)) readable.push(id);
  }
  return readable;
}

function throughOutputs(type: string) {
  const ask = `ask /aggregates/${type} for their ids first`;
  const detail = `Filters do not look at documents of aggregates through links: ${ask}.`;
  return fail('invalid-filter', detail, { parameter: 'filter' });
}
