/**
 * Asks collections, and pipelines, what a search of them may have asked in vain. It is judged over what a list of the type
 * without a filter shows: a key that may not list the type is told nothing.
 */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { Doubt, DoubtsAsked, ListRequest } from '../../../collection/rpc/results.ts';
import { pathOfType } from '../../../domain/addresses/paths.ts';
import { ok } from '../../../domain/problems.ts';
import { principalOf } from '../../../domain/rules.ts';
import { hiddenFields } from '../../../domain/secrets.ts';
import { factsOf, isOutputType, isResourceType, keptType, type TypeName } from '../../../domain/types.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { NOTHING } from '../../../operators/filter/conditions.ts';
import type { Exchange } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';

/** What a search of a type is to be doubted for. */
export type Asked = Pick<ListRequest, 'sort'> & Pick<DoubtsAsked, 'condition' | 'questions'>;

const NONE = encodeText(NOTHING);

/** What is said of a type to who asks for nothing but doubts. */
export async function doubtsAbout(
  exchange: Exchange,
  type: TypeName,
  asked: Asked,
): Promise<readonly Doubt[]> {
  const lister = exchange.access.viewerOf(pathOfType(type));
  if (lister === null || lister === 'exhausted') return [];
  const { sort, condition, questions } = asked;
  const doubts = { condition, questions, always: true };
  const search = { condition: NONE, sort, page: { offset: 0, limit: 1, counted: false }, doubts };
  const made = kindOfType(type).doubts;
  if (made !== undefined) return made(exchange, type, principalOf(lister), search);
  const request = { ...search, ...principalOf(lister), hidden: hiddenFields(type, lister) };
  const found = await collectionOf(exchange, type).list(request, (result) =>
    Promise.resolve(ok(result.doubts ?? [])),
  );
  return found.ok ? found.value : [];
}

/** A type that a client names, if its documents can be read. */
export function typeOf(name: string): TypeName | null {
  const { linkable, unreadable } = factsOf(name);
  const isRead = isOutputType(name) || isResourceType(name) || (linkable === true && unreadable !== true);
  return isRead ? keptType(name) : null;
}

function hasPath(doubt: Doubt): doubt is Exclude<Doubt, { readonly kind: 'no-documents' }> {
  return doubt.kind !== 'no-documents';
}

/** What is in doubt of every type that has documents: any of them may be meant. */
export function common(lists: readonly (readonly Doubt[])[]): readonly Doubt[] {
  const telling = lists.filter((doubts) => !doubts.some(({ kind }) => kind === 'no-documents'));
  const [first = [], ...others] = telling.map((doubts) => doubts.filter(hasPath));
  return first.flatMap((doubt) => {
    const same = others.map((doubts) => doubts.find(({ path }) => path === doubt.path));
    if (same.includes(undefined)) return [];
    return [same.find((each) => each?.kind === 'other-kind') ?? doubt];
  });
}
