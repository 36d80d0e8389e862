/**
 * What a read may have asked in vain: names that no document has, values of another kind. It is judged over what a list
 * of the type without a filter shows: a key that may not list the type is told nothing.
 */
import type {
  Diagnostic,
  DiagnosticsRequest,
  Question,
  ListRequest,
  ValueClass,
} from '../../../collection/rpc/results.ts';
import type { Document } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { offerOf, shownName, oneOf } from '../../../domain/names.ts';
import { problem, type Problem, ok } from '../../../domain/problems.ts';
import { storedType, type TypeName, isOutputType, isResourceType } from '../../../domain/types.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { EVERYTHING, NOTHING } from '../../../operators/filter/conditions.ts';
import type { RequestContext } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { inverseOf } from '../linked/inverse-links.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { pathOfType } from '../../../domain/addresses/paths.ts';
import { principalOf } from '../../../domain/rules.ts';
import { hiddenFields } from '../../../domain/secrets.ts';
import { typeInfo } from '../../../domain/types/facts.ts';

const ALL = encodeText(EVERYTHING);

/** Whether the client wants all diagnostics, and not only those of an empty answer. */
export function isStrict({ preferences }: Pick<RequestContext, 'preferences'>): boolean {
  return preferences.handling === 'strict';
}

/** Whether a request names fields, or asks for linked documents: more than documents as they are. */
function asksBeyond({ query }: Pick<RequestContext, 'query'>): boolean {
  return query.fields.size > 0 || query.include !== null;
}

/** What the collection is to be told of a list, so that it says what may be the matter with one that finds nothing. */
export function diagnosticsAsked(
  context: RequestContext,
  type: string,
  condition: string,
): DiagnosticsRequest {
  const always = isStrict(context);
  if (!asksBeyond(context)) return { condition, questions: [], always };
  const names = new Set(fieldsAsked(context, type));
  for (const name of followed(context)) names.add(name);
  return { condition, questions: questionsOf(names), always };
}

/** The names that the answer is to show of documents of a type. */
function fieldsAsked({ query }: RequestContext, type: string): readonly string[] {
  const names = query.fields.get(type);
  if (names === undefined) return [];
  const { made = [] } = kindOfType(type);
  return [...names].filter((name) => name !== 'id' && !made.includes(name));
}

function followed({ query }: RequestContext): readonly string[] {
  return (query.include ?? []).flatMap(([name]) => name ?? []);
}

function questionsOf(names: Iterable<string>): readonly Question[] {
  const questions: Question[] = [];
  for (const name of names) {
    if (name !== '' && questions.length < LIMITS.diagnosticsTold)
      questions.push({ path: [name], compared: [] });
  }
  return questions;
}

/**
 * The warnings about one document that is shown: names that it lacks, and that no document has. Null where nothing was
 * looked at: without strict handling, where it shows and follows something of what is asked.
 */
export async function warningsOfOne(
  context: RequestContext,
  document: Document,
): Promise<readonly Problem[] | null> {
  if (!asksBeyond(context)) return null;
  const type = storedType(document.type);
  const lacks = (name: string): boolean =>
    !name.startsWith('$') &&
    !Object.hasOwn(document.relationships, name) &&
    !Object.hasOwn(document.attributes, name);
  const query = [fieldsAsked(context, type), followed(context)].map((names) => ({
    lacking: names.filter(lacks),
    isAll: names.every(lacks),
  }));
  const lacking = query.flatMap((each) => (each.isAll || isStrict(context) ? each.lacking : []));
  if (lacking.length === 0) return null;
  const questions = questionsOf(new Set(lacking));
  return warningsOfTypes(context, [type], { condition: ALL, sort: [], questions });
}

/**
 * The warnings about a list of linked documents of some types. Null where nothing was looked at: without strict
 * handling, where it finds something.
 */
export async function warningsOfLinked(
  context: RequestContext,
  types: readonly TypeName[],
  query: Omit<DiagnosticsQuery, 'questions'>,
  isFound: boolean,
): Promise<readonly Problem[] | null> {
  const { filters, sort } = context.query;
  if ((filters.length === 0 && sort === null) || (isFound && !isStrict(context))) return null;
  return warningsOfTypes(context, types, { ...query, questions: [] });
}

/**
 * What is asked in vain of documents of each of some types, and nothing of a type whose list is empty: a relation may
 * lead nowhere, and who reads one document may list none.
 */
async function warningsOfTypes(
  context: RequestContext,
  types: readonly TypeName[],
  query: DiagnosticsQuery,
): Promise<readonly Problem[]> {
  const diagnostics = common(await Promise.all(types.map((type) => diagnosticsAbout(context, type, query))));
  const [type] = types;
  return type === undefined ? [] : warningsOfDiagnostics(context, type, diagnostics);
}

/** The same of one type, which may have no documents. */
export async function warningsOfType(
  context: RequestContext,
  type: TypeName,
  query: DiagnosticsQuery,
): Promise<readonly Problem[]> {
  return warningsOfDiagnostics(context, type, await diagnosticsAbout(context, type, query));
}

/** A name of an include that no document of a type, among those where it was to be followed, leads on from. */
export interface Unfollowed {
  readonly type: string;
  readonly name: string;
}

/** With strict handling, the warnings about what is followed and shown of documents that are not judged yet. */
export async function warningsOfReached(
  context: RequestContext,
  reached: { readonly unfollowed?: readonly Unfollowed[] } | null,
  judged: string | null,
): Promise<readonly Problem[]> {
  if (!isStrict(context)) return [];
  const names = new Map<string, Set<string>>();
  const firsts = new Set(followed(context));
  for (const { type, name } of reached?.unfollowed ?? []) {
    if (type === judged && firsts.has(name)) continue;
    names.set(type, (names.get(type) ?? new Set()).add(name));
  }
  for (const type of context.query.fields.keys()) {
    if (type === judged) continue;
    const shown = fieldsAsked(context, type);
    names.set(type, new Set([...(names.get(type) ?? []), ...shown]));
  }
  const each = await Promise.all(
    Array.from(names)
      .slice(0, LIMITS.linkedTypes)
      .map(async ([name, query]) => {
        const type = typeOf(name);
        if (type === null) return [];
        return warningsOfType(context, type, { condition: ALL, sort: [], questions: questionsOf(query) });
      }),
  );
  return each.flat();
}

/** The diagnostics of a collection in words, each with the parameter that it is about. */
export async function warningsOfDiagnostics(
  context: RequestContext,
  type: TypeName,
  diagnostics: readonly Diagnostic[],
): Promise<readonly Problem[]> {
  const each = await Promise.all(diagnostics.map((diagnostic) => warningsOf(context, type, diagnostic, [])));
  return each.flat();
}

/** `outer`: the relationship that leads to the diagnosed documents. */
async function warningsOf(
  context: RequestContext,
  type: TypeName,
  diagnostic: Diagnostic,
  outer: readonly string[],
): Promise<readonly Problem[]> {
  if (diagnostic.kind === 'no-documents') {
    const parameter = context.query.fields.has(type) && type !== context.parameters.type;
    const source = parameter ? { parameter: `fields[${type}]` } : undefined;
    return [problem('no-documents', `There are no documents of type ${type} to be shown.`, source)];
  }
  const path = [...outer, diagnostic.path].join('.');
  const source = { parameter: parameterOf(context, type, path) };
  switch (diagnostic.kind) {
    case 'other-kind':
      return [problem('other-kind', detailOfKinds(diagnostic, path), source)];
    case 'no-field': {
      if (outer.length === 0 && (await isInverse(context, type, path))) return [];
      const none = `None of the documents of type ${type} to be shown has the field ${shownName(diagnostic.path)}.`;
      return [problem('no-such-field', `${none}${offerOf(diagnostic.path, diagnostic.names)}`, source)];
    }
    case 'elsewhere': {
      const [name = ''] = diagnostic.path.split('.');
      const types = diagnostic.types.map(storedType);
      const query = { condition: ALL, sort: [], questions: [diagnostic.rest] };
      const further = common(await Promise.all(types.map((each) => diagnosticsAbout(context, each, query))));
      const [linked = type] = types;
      const each = await Promise.all(further.map((one) => warningsOf(context, linked, one, [name])));
      return each.flat();
    }
  }
}

/** The type's settings may declare what no document has. */
async function isInverse(context: RequestContext, type: TypeName, name: string): Promise<boolean> {
  const isFollowed = context.query.include?.some((path) => path.includes(name)) === true;
  return isFollowed && (await inverseOf(context, type, name)) !== null;
}

/** The parts of a search of a type that can be diagnosed. */
type DiagnosticsQuery = Pick<ListRequest, 'sort'> & Pick<DiagnosticsRequest, 'condition' | 'questions'>;

const NONE = encodeText(NOTHING);

/** The warnings about a type, for a request that asks for nothing else. */
async function diagnosticsAbout(
  context: RequestContext,
  type: TypeName,
  query: DiagnosticsQuery,
): Promise<readonly Diagnostic[]> {
  const lister = context.access.viewerOf(pathOfType(type));
  if (lister === null || lister === 'exhausted') return [];
  const { sort, condition, questions } = query;
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
function typeOf(name: string): TypeName | null {
  const { linkable, unreadable } = typeInfo(name);
  const isRead = isOutputType(name) || isResourceType(name) || (linkable === true && unreadable !== true);
  return isRead ? storedType(name) : null;
}

function hasPath(
  diagnostic: Diagnostic,
): diagnostic is Exclude<Diagnostic, { readonly kind: 'no-documents' }> {
  return diagnostic.kind !== 'no-documents';
}

/** The diagnostics of every type that has documents: any of them may be meant. */
function common(lists: readonly (readonly Diagnostic[])[]): readonly Diagnostic[] {
  const nonEmpty = lists.filter((diagnostics) => !diagnostics.some(({ kind }) => kind === 'no-documents'));
  const [first = [], ...others] = nonEmpty.map((diagnostics) => diagnostics.filter(hasPath));
  return first.flatMap((diagnostic) => {
    const same = others.map((diagnostics) => diagnostics.find(({ path }) => path === diagnostic.path));
    if (same.includes(undefined)) return [];
    return [same.find((each) => each?.kind === 'other-kind') ?? diagnostic];
  });
}

/** The parameter of the request that names a path, of a filter or of documents of a type. */
export function parameterOf({ query }: RequestContext, type: string, path: string): string {
  const { filters, sort, fields, include } = query;
  if (filters.some(({ field }) => field === path)) return `filter[${path}]`;
  const written = JSON.stringify(path.split('.')[0]).slice(1, -1);
  if (filters.some(({ field, text }) => field === null && text.includes(written))) return 'filter[*]';
  const outer = filters.find(({ field }) => field !== null && path.startsWith(`${field}.`))?.field;
  if (outer !== undefined && outer !== null) return `filter[${outer}]`;
  if (sort?.split(',').some((each) => each.replace(/^-/, '') === path) === true) return 'sort';
  if (fields.get(type)?.has(path) === true) return `fields[${type}]`;
  return include?.some((names) => names.includes(path)) === true ? 'include' : 'filter';
}

/** How each class of values is written in a filter. */
const WRITTEN: Readonly<Record<ValueClass, string>> = {
  string: 'a string',
  number: 'a number without quotes',
  date: '{"$date": "2026-01-31T12:00:00Z"}',
  'object id': '{"$oid": "…"}',
  boolean: 'true or false',
};

/** What a field holds, what it is compared with, and how that is written. */
function detailOfKinds(
  { compared, held }: Extract<Diagnostic, { readonly kind: 'other-kind' }>,
  path: string,
): string {
  const kinds = held.map((each) => `${each}s`);
  const what = kinds.length === 0 ? 'no values that can be compared so' : oneOf(kinds, 'and');
  const pairs = compared
    .filter((each) => !held.includes(each))
    .map((each) => `a ${each}`.replace('a object', 'an object'));
  const cure =
    held.length === 0
      ? ''
      : ` Write ${oneOf(
          held.map((each) => WRITTEN[each]),
          'or',
        )}.`;
  return `The field ${shownName(path)} holds ${what}, and is compared with ${oneOf(pairs, 'or')}.${cure}`;
}
