/**
 * `POST /operations`: a list of writes, all or none (JSON:API, Atomic Operations). The list is read and permitted as a
 * whole, links to other collections are checked together, and one call performs the writes; those of several types are
 * shared out (shares.ts).
 */
import { explainedRefusal } from '../../auth/explanation.ts';
import { isAggregateType, type TypeName } from '../../domain/types.ts';
import { aclTypeOf } from '../../domain/addresses/paths.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import {
  localIdOf,
  type Attempt,
  type Failure,
  type Operation,
} from '../../collection/rpc/writes/operations.ts';
import { linksOf, type Content, type Document } from '../../domain/documents.ts';
import { LIMITS, TOLD } from '../../domain/limits.ts';
import { fail, failed, gravest, ok, pointerIn, type Outcome, type Problem } from '../../domain/problems.ts';
import { ifMatchOf } from '../documents/tags/conditions.ts';
import { subjectOf } from '../documents/tags/etag.ts';
import { cachingOf } from '../documents/answer/answers.ts';
import { onceOf } from '../documents/write/written.ts';
import type { Answer, RequestContext, Handler } from '../endpoint.ts';
import { shows } from '../../domain/rules.ts';
import { ACL_FIELD } from '../documents/rights/rules.ts';
import { inOperation } from './faults.ts';
import { checkForeign, linksOfOperation, missingLink, type LinksOf } from './links.ts';
import { actorsOf, explanationIn, type Actors } from './permits.ts';
import { sharesBefore, writeShares } from './shares.ts';
import { readList, type OperationList, type Planned } from './read-list.ts';
import { presentResults } from './results.ts';

export const runOperations: Handler = async (context) => {
  const read = readList(context.body, context);
  if (!read.ok) return read;
  const answer = await runList(context, read.value);
  if (answer.ok) return answer;
  const at = answer.problems[0] && positionIn(answer.problems[0]);
  const refused = read.value.operations[at ?? -1];
  return failed(...explainedRefusal(answer.problems, explanationIn(context, refused)));
};

async function runList(context: RequestContext, list: OperationList): Promise<Outcome<Answer>> {
  const permitted = actorsOf(context, list);
  if (!permitted.ok) return permitted;
  const { actors, indexes } = permitted.value;
  const [type, ...others] = list.types;
  if (type === undefined) throw new Error('A list without operations was not refused.');
  const collection = collectionOf(context, type);
  const once = await onceOf(context);
  const actorOf = (at: number) => actors[indexes[at] ?? 0];
  const before =
    others.length > 0
      ? await sharesBefore(context, list, actorOf, once)
      : await collection.listedBefore(once, (at) => actorOf(at)?.rule ?? null);
  if (!before.ok) return before;
  if (before.value !== null) return answerDone(context, list, before.value);
  const checked = await checkContent(context, list);
  if (!checked.ok) return checked;
  const operations = operationsOf(context, checked.value, permitted.value);
  const written =
    others.length > 0
      ? await writeShares(context, list, operations, actors, once)
      : await collection.writeList({
          actors,
          operations,
          transaction: list.transaction,
          ...(!list.atomic && { goesOn: true }),
          ...(once !== null && { once }),
        });
  if (!written.ok) return failed(...problemsOf(written.failure, list));
  return answerDone(context, list, written.done);
}

async function answerDone(
  context: RequestContext,
  list: OperationList,
  done: readonly Attempt<Document>[],
): Promise<Outcome<Answer>> {
  const { types, operations, atomic } = list;
  const last = new Map<TypeName, number>(types.map((type) => [type, 0]));
  const subjects = new Set<string>();
  for (const [at, each] of done.entries()) {
    const type = operations[at]?.type;
    if (type === undefined || !('version' in each)) continue;
    last.set(type, Math.max(last.get(type) ?? 0, each.version));
    subjects.add(subjectOf(context.application, { type, id: each.id }));
  }
  const [subject = null, ...others] = subjects;
  const caching = cachingOf(context, last, { subject: others.length === 0 ? subject : null });
  const isQuiet = atomic && !context.explaining;
  if (isQuiet && operations.every(({ action: { kind } }) => kind === 'remove' || kind === 'test'))
    return ok({ status: 204, ...caching });
  return ok({
    status: 200,
    document: await presentResults(context, list, done, (failure) => problemsOf(failure, list)),
    ...caching,
  });
}

/** The operations to perform: of an atomic list, up to the first that is certain to fail, if there is one. */
interface Checked {
  readonly operations: readonly Planned[];
  readonly links: readonly LinksOf[];
  /** Problems of links to other collections, by the positions of their operations. */
  readonly foreign: ReadonlyMap<number, readonly Problem[]>;
}

/** Checks content, and links to other collections, but not after an operation that is certain to end the list. */
async function checkContent(
  context: RequestContext,
  { operations, atomic }: OperationList,
): Promise<Outcome<Checked>> {
  const wrong = atomic ? operations.findIndex(({ problems }) => problems.length > 0) : -1;
  const looked = wrong === -1 ? operations : operations.slice(0, wrong + 1);
  const links = looked.map((operation, at) => linksOfOperation(operation, at));
  const count = links.reduce((sum, { own, foreign }) => sum + own.length + foreign.length, 0);
  if (count > LIMITS.operationsLinks) {
    const detail = `The operations of a list set at most ${LIMITS.operationsLinks} links, not ${count}.`;
    return fail('list-too-large', detail, { pointer: '/atomic:operations' });
  }
  const missing = await checkForeign(context, looked, links);
  const foreign = new Map<number, Problem[]>();
  for (const each of missing) {
    const at = positionIn(each);
    if (at === null) return failed(...missing);
    const before = foreign.get(at);
    if (before === undefined) foreign.set(at, [each]);
    else if (before.length < TOLD.inBody) before.push(each);
  }
  const end = atomic && foreign.size > 0 ? Math.min(...foreign.keys()) + 1 : looked.length;
  return ok({ operations: looked.slice(0, end), links, foreign });
}

/** The problems of a failure, with places in the list. */
function problemsOf(
  { at, problems, missing, foreign = [] }: Failure,
  list: OperationList,
): readonly Problem[] {
  if (at === null) return problems;
  const operation = list.operations[at];
  if (operation === undefined) return problems;
  const earlier = problems.map((each) => inOperation(each, at));
  // Problems of checks before the content come first; the others are ordered by status.
  if (problems.some(({ code }) => code !== 'field-conflict')) return earlier;
  const { own } = linksOfOperation(operation, at);
  return gravest([
    ...earlier,
    ...operation.problems.map((each) => inOperation(each, at)),
    ...foreign,
    ...missing.flatMap((index) => own.slice(index, index + 1).map(missingLink)),
  ]).slice(0, TOLD.inBody);
}

/** Operations as the collection takes them. */
function operationsOf(
  { application, access, preferences }: RequestContext,
  { operations, links, foreign }: Checked,
  { actors, indexes, readers }: Actors,
): readonly Operation<Content>[] {
  return operations.map((operation, at): Operation<Content> => {
    const own = links[at]?.own ?? [];
    const strange = foreign.get(at);
    const reader = readers.get(at);
    const actor = indexes[at] ?? 0;
    const common = {
      actor,
      ...(reader !== undefined && { reader }),
      ...(own.length > 0 && { links: own.map(({ id }) => id) }),
      ...(namesLocals(operation, own) && { local: true as const }),
      ...((operation.problems.length > 0 || strange !== undefined) && { faulty: true as const }),
      ...(strange !== undefined && { foreign: strange }),
    };
    // What somebody else would see of an ACL, whom a GET would be answered as, is not asked: then none is shown.
    const acl = reader === undefined && shows(actors[actor]?.rule ?? null, ACL_FIELD);
    const { action, type } = operation;
    if (action.kind === 'add') return { ...common, ...action, wanted: access.hasRules };
    // An ACL has tags of its own.
    const tagged = action.kind === 'acl' ? aclTypeOf({ type, level: action.level }) : type;
    const ifMatch = ifMatchOf(action.ifMatch, application, { type: tagged, id: action.id });
    // A single request with a precondition gets no document back, either (spec, PATCH rules), unless it prefers one.
    const isPreferred = ifMatch === null || preferences.return === 'representation';
    const wanted = action.kind === 'acl' ? acl && isPreferred : isPreferred || isRelinking(action);
    return { ...common, ...action, ifMatch, wanted };
  });
}

function isRelinking(action: Planned['action']): boolean {
  return action.kind === 'change' && action.change.kind !== 'merge';
}

/** Whether an operation links to a document that the list adds. */
function namesLocals({ action }: Planned, own: LinksOf['own']): boolean {
  const links =
    action.kind === 'change' && action.change.kind === 'remove-links' ? linksOf(action.change.linkage) : own;
  // Ids of aggregates' documents may be any text.
  return links.some(({ type, id }) => !isAggregateType(type) && localIdOf(id) !== null);
}

/** The operation that a problem names, or null. */
function positionIn(problem: Problem): number | null {
  const [, at] = /^\/atomic:operations\/(\d+)/.exec(pointerIn(problem)) ?? [];
  return at === undefined ? null : Number(at);
}
