/** What a read may have asked in vain: names that no document has, values of another kind. */
import type { Doubt, DoubtsAsked, Question } from '../../../collection/rpc/results.ts';
import type { Document } from '../../../domain/documents.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { offerOf, shownName } from '../../../domain/names.ts';
import { problem, type Problem } from '../../../domain/problems.ts';
import { keptType, type TypeName } from '../../../domain/types.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { EVERYTHING } from '../../../operators/filter/conditions.ts';
import type { Exchange } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { inverseOf } from '../linked/inverse-of.ts';
import { common, doubtsAbout, typeOf, type Asked } from './ask.ts';
import { detailOfKinds, parameterOf } from './words.ts';

const ALL = encodeText(EVERYTHING);

/** Whether everything in doubt is to be told, and not only what left an answer empty. */
export function isStrict({ preferences }: Pick<Exchange, 'preferences'>): boolean {
  return preferences.handling === 'strict';
}

/** Whether a request names fields, or asks for linked documents: more than documents as they are. */
export function asksBeyond({ query }: Pick<Exchange, 'query'>): boolean {
  return query.fields.size > 0 || query.include !== null;
}

/** What the collection is to be told of a list, so that it says what may be the matter with one that finds nothing. */
export function doubtsAsked(exchange: Exchange, type: string, condition: string): DoubtsAsked {
  const always = isStrict(exchange);
  if (!asksBeyond(exchange)) return { condition, questions: [], always };
  const names = new Set(fieldsAsked(exchange, type));
  for (const name of followed(exchange)) names.add(name);
  return { condition, questions: questionsOf(names), always };
}

/** The names that the answer is to show of documents of a type. */
function fieldsAsked({ query }: Exchange, type: string): readonly string[] {
  const names = query.fields.get(type);
  if (names === undefined) return [];
  const { made = [] } = kindOfType(type);
  return [...names].filter((name) => name !== 'id' && !made.includes(name));
}

function followed({ query }: Exchange): readonly string[] {
  return (query.include ?? []).flatMap(([name]) => name ?? []);
}

function questionsOf(names: Iterable<string>): readonly Question[] {
  const questions: Question[] = [];
  for (const name of names) {
    if (name !== '' && questions.length < LIMITS.doubtsTold) questions.push({ path: [name], compared: [] });
  }
  return questions;
}

/**
 * The warnings about one document that is shown: names that it lacks, and that no document has. Null where nothing was
 * looked at: without strict handling, where it shows and follows something of what is asked.
 */
export async function warningsOfOne(
  exchange: Exchange,
  document: Document,
): Promise<readonly Problem[] | null> {
  if (!asksBeyond(exchange)) return null;
  const type = keptType(document.type);
  const lacks = (name: string): boolean =>
    !name.startsWith('$') &&
    !Object.hasOwn(document.relationships, name) &&
    !Object.hasOwn(document.attributes, name);
  const asked = [fieldsAsked(exchange, type), followed(exchange)].map((names) => ({
    lacking: names.filter(lacks),
    isAll: names.every(lacks),
  }));
  const lacking = asked.flatMap((each) => (each.isAll || isStrict(exchange) ? each.lacking : []));
  if (lacking.length === 0) return null;
  const questions = questionsOf(new Set(lacking));
  return warningsOfTypes(exchange, [type], { condition: ALL, sort: [], questions });
}

/**
 * The warnings about a list of linked documents of some types. Null where nothing was looked at: without strict handling,
 * where it finds something.
 */
export async function warningsOfLinked(
  exchange: Exchange,
  types: readonly TypeName[],
  asked: Omit<Asked, 'questions'>,
  isFound: boolean,
): Promise<readonly Problem[] | null> {
  const { filters, sort } = exchange.query;
  if ((filters.length === 0 && sort === null) || (isFound && !isStrict(exchange))) return null;
  return warningsOfTypes(exchange, types, { ...asked, questions: [] });
}

/** What is asked in vain of documents of each of some types. */
export async function warningsOfTypes(
  exchange: Exchange,
  types: readonly TypeName[],
  asked: Asked,
): Promise<readonly Problem[]> {
  const doubts = common(await Promise.all(types.map((type) => doubtsAbout(exchange, type, asked))));
  const [type] = types;
  // A relation may lead nowhere: nobody has asked for the type.
  const told = doubts.filter(({ kind }) => kind !== 'no-documents');
  return type === undefined ? [] : warningsOfDoubts(exchange, type, told);
}

/** A name of an include that no document of a type, among those where it was to be followed, leads on from. */
export interface Unfollowed {
  readonly type: string;
  readonly name: string;
}

/** With strict handling, the warnings about what is followed and shown of documents that are not judged yet. */
export async function warningsOfReached(
  exchange: Exchange,
  reached: { readonly unfollowed?: readonly Unfollowed[] } | null,
  judged: string | null,
): Promise<readonly Problem[]> {
  if (!isStrict(exchange)) return [];
  const names = new Map<string, Set<string>>();
  const firsts = new Set(followed(exchange));
  for (const { type, name } of reached?.unfollowed ?? []) {
    if (type === judged && firsts.has(name)) continue;
    names.set(type, (names.get(type) ?? new Set()).add(name));
  }
  for (const type of exchange.query.fields.keys()) {
    if (type === judged) continue;
    const shown = fieldsAsked(exchange, type);
    names.set(type, new Set([...(names.get(type) ?? []), ...shown]));
  }
  const each = await Promise.all(
    Array.from(names)
      .slice(0, LIMITS.linkedTypes)
      .map(async ([name, asked]) => {
        const type = typeOf(name);
        if (type === null) return [];
        const doubts = await doubtsAbout(exchange, type, {
          condition: ALL,
          sort: [],
          questions: questionsOf(asked),
        });
        return warningsOfDoubts(exchange, type, doubts);
      }),
  );
  return each.flat();
}

/** The doubts of a collection in words, each with the parameter that it is about. */
export async function warningsOfDoubts(
  exchange: Exchange,
  type: TypeName,
  doubts: readonly Doubt[],
): Promise<readonly Problem[]> {
  const each = await Promise.all(doubts.map((doubt) => warningsOf(exchange, type, doubt, [])));
  return each.flat();
}

/** `outer`: the relationship that leads to the documents in doubt. */
async function warningsOf(
  exchange: Exchange,
  type: TypeName,
  doubt: Doubt,
  outer: readonly string[],
): Promise<readonly Problem[]> {
  if (doubt.kind === 'no-documents') {
    const parameter = exchange.query.fields.has(type) && type !== exchange.parameters.type;
    const source = parameter ? { parameter: `fields[${type}]` } : undefined;
    return [problem('no-documents', `There are no documents of type ${type} to be shown.`, source)];
  }
  const path = [...outer, doubt.path].join('.');
  const source = { parameter: parameterOf(exchange, type, path) };
  switch (doubt.kind) {
    case 'other-kind':
      return [problem('other-kind', detailOfKinds(doubt, path), source)];
    case 'no-field': {
      if (outer.length === 0 && (await isInverse(exchange, type, path))) return [];
      const none = `None of the documents of type ${type} to be shown has the field ${shownName(doubt.path)}.`;
      return [problem('no-such-field', `${none}${offerOf(doubt.path, doubt.names)}`, source)];
    }
    case 'elsewhere': {
      const [name = ''] = doubt.path.split('.');
      const types = doubt.types.map(keptType);
      const asked = { condition: ALL, sort: [], questions: [doubt.rest] };
      const further = common(await Promise.all(types.map((each) => doubtsAbout(exchange, each, asked))));
      const [linked = type] = types;
      const each = await Promise.all(further.map((one) => warningsOf(exchange, linked, one, [name])));
      return each.flat();
    }
  }
}

/** The type's settings may declare what no document has. */
async function isInverse(exchange: Exchange, type: TypeName, name: string): Promise<boolean> {
  const isFollowed = exchange.query.include?.some((path) => path.includes(name)) === true;
  return isFollowed && (await inverseOf(exchange, type, name)) !== null;
}
