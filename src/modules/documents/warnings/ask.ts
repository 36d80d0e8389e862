/**
 * Asks collections, and pipelines, what a search of them may have asked in vain. It is judged over what a list of the type
 * without a filter shows: a key that may not list the type is told nothing.
 */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { Diagnostic, DiagnosticsAsked, ListRequest } from '../../../collection/rpc/results.ts';
import { pathOfType } from '../../../domain/addresses/paths.ts';
import { ok } from '../../../domain/problems.ts';
import { principalOf } from '../../../domain/rules.ts';
import { hiddenFields } from '../../../domain/secrets.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import { isOutputType, isResourceType, storedType, type TypeName } from '../../../domain/types.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { NOTHING } from '../../../operators/filter/conditions.ts';
import type { RequestContext } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';

/** What a search of a type is to be doubted for. */
export type Asked = Pick<ListRequest, 'sort'> & Pick<DiagnosticsAsked, 'condition' | 'questions'>;

const NONE = encodeText(NOTHING);

/** What is said of a type to who asks for nothing but doubts. */
export async function diagnosticsAbout(
  context: RequestContext,
  type: TypeName,
  asked: Asked,
): Promise<readonly Diagnostic[]> {
  const lister = context.access.viewerOf(pathOfType(type));
  if (lister === null || lister === 'exhausted') return [];
  const { sort, condition, questions } = asked;
  const diagnostics = { condition, questions, always: true };
  const search = { condition: NONE, sort, page: { offset: 0, limit: 1, counted: false }, diagnostics };
  const made = kindOfType(type).diagnostics;
  if (made !== undefined) return made(context, type, principalOf(lister), search);
  const request = { ...search, ...principalOf(lister), hidden: hiddenFields(type, lister) };
  const found = await collectionOf(context, type).list(request, (result) =>
    Promise.resolve(ok(result.diagnostics ?? [])),
  );
  return found.ok ? found.value : [];
}

/** A type that a client names, if its documents can be read. */
export function typeOf(name: string): TypeName | null {
  const { linkable, unreadable } = typeInfo(name);
  const isRead = isOutputType(name) || isResourceType(name) || (linkable === true && unreadable !== true);
  return isRead ? storedType(name) : null;
}

function hasPath(
  diagnostic: Diagnostic,
): diagnostic is Exclude<Diagnostic, { readonly kind: 'no-documents' }> {
  return diagnostic.kind !== 'no-documents';
}

/** What is in doubt of every type that has documents: any of them may be meant. */
export function common(lists: readonly (readonly Diagnostic[])[]): readonly Diagnostic[] {
  const telling = lists.filter((diagnostics) => !diagnostics.some(({ kind }) => kind === 'no-documents'));
  const [first = [], ...others] = telling.map((diagnostics) => diagnostics.filter(hasPath));
  return first.flatMap((diagnostic) => {
    const same = others.map((diagnostics) => diagnostics.find(({ path }) => path === diagnostic.path));
    if (same.includes(undefined)) return [];
    return [same.find((each) => each?.kind === 'other-kind') ?? diagnostic];
  });
}
