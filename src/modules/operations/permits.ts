/** The actor of each operation, from the permission that the equivalent single request would need. */
import type { Admission, PermittedMethod } from '../../auth/permissions.ts';
import { keyOf } from '../../domain/documents.ts';
import type { Explanation } from '../../domain/explained.ts';
import { LIMITS } from '../../domain/limits.ts';
import { failed, ok, problem, type Outcome, type Problem } from '../../domain/problems.ts';
import type { RequestContext } from '../endpoint.ts';
import { inOperation } from './faults.ts';
import type { OperationList, Planned } from './read-list.ts';
import { localIdOf, type Actor, type Change } from '../../collection/rpc/writes/operations.ts';
import {
  addressesOfRelationship,
  pathOfDocument,
  pathOfType,
  segmentOf,
  pathOfAcl,
} from '../../domain/addresses/paths.ts';
import { idOfSecond, type DocumentId } from '../../domain/ids.ts';
import type { TypeName } from '../../domain/types.ts';
import { recall } from '../../domain/caching/recall.ts';
import { RuleNumbers, type Rule } from '../../domain/rules.ts';
import {
  aclNotWritable,
  mayWrite,
  notPermitted,
  notChangeable,
  notWritable,
  readerOf,
  ruleOfReading,
} from '../documents/rights/rules.ts';

export interface Actors {
  readonly actors: readonly Actor[];
  /** The actor of each operation, by its position in `actors`. */
  readonly indexes: readonly number[];
  /** By positions of operations: as whom a GET of the document, or of the ACL, is answered, if as another one. */
  readonly readers: ReadonlyMap<number, number>;
}

const METHODS: Readonly<
  Record<Exclude<Planned['action']['kind'], 'change'> | Change['kind'], PermittedMethod>
> = {
  add: 'post',
  merge: 'patch',
  acl: 'patch',
  remove: 'delete',
  test: 'get',
  'replace-links': 'patch',
  'add-links': 'post',
  'remove-links': 'delete',
};

function methodOf({ action }: Planned): PermittedMethod {
  return METHODS[action.kind === 'change' ? action.change.kind : action.kind];
}

/** 401 or 403 for the first operation that the key does not permit. */
export function actorsOf(
  context: RequestContext,
  { operations }: Pick<OperationList, 'operations'>,
): Outcome<Actors> {
  const actors = new Map<string, { readonly actor: Actor; readonly index: number }>();
  const admissions = new Map<string, Admission>();
  const indexes: number[] = [];
  const readers = new Map<number, number>();
  const rules = new RuleNumbers();
  const standIn = idOfNow();
  for (const [at, operation] of operations.entries()) {
    const method = methodOf(operation);
    const { action, type } = operation;
    const path = pathOf(operation, standIn);
    // The cost of a pattern grows with the path: an impossible path is matched with no pattern.
    if (path.length > LIMITS.path) return failed(inOperation(tooLong(), at));
    const question = `${method} ${path}`;
    const admission = recall(admissions, question, () => context.access.admissionOf(method, path));
    if (!admission.admitted) return failed(inOperation(refusal(admission.missing, question), at));
    const { viewer, rule, owner, creator } = admission;
    const denied = deniedFields(rule, operation, () => ruleOfReading(context.access, path));
    if (denied.length > 0) return failed(...denied.map((each) => inOperation(each, at)));
    // All operations have one holder: only these may differ.
    const key = `${viewer === null} ${owner === null} ${creator === null} ${rules.of(rule)}`;
    const known = recall(actors, key, () => ({
      actor: { viewer, rule, owners: owner === null ? [] : [keyOf(owner)], creator },
      index: actors.size,
    }));
    indexes.push(known.index);
    if (action.kind !== 'change' && action.kind !== 'acl') continue;
    const reader = readerOf(
      { ...context.access, viewer, rule },
      action.kind === 'acl' ? path : documentPathOf(type, action.id, standIn),
    );
    if (reader === undefined) continue;
    const reading = recall(actors, `reader ${reader.viewer === null} ${rules.of(reader.rule)}`, () => ({
      actor: { ...reader, owners: [], creator: null },
      index: actors.size,
    }));
    readers.set(at, reading.index);
  }
  return ok({ actors: Array.from(actors.values(), ({ actor }) => actor), indexes, readers });
}

/** The fields that an operation must not write. */
function deniedFields(
  rule: Rule | null,
  { action, update }: Planned,
  reading: () => Rule | null,
): readonly Problem[] {
  switch (action.kind) {
    case 'add':
      return [
        ...notWritable(rule, action.content),
        ...(action.grants === undefined ? [] : aclNotWritable(rule, '/data/meta/acl')),
      ];
    case 'change': {
      const { change } = action;
      if (change.kind !== 'merge')
        return mayWrite(rule, change.name) ? [] : [notPermitted(change.name, '/data')];
      return notChangeable(rule, { content: change.content, update }, reading);
    }
    case 'acl':
      return aclNotWritable(rule, '/data/attributes');
    case 'remove':
    case 'test':
      return [];
  }
}

/** How an operation was decided, where the answer is to say so. */
export function explanationIn(
  { explaining }: RequestContext,
  operation: Planned | undefined,
): Explanation | null {
  if (!explaining || operation === undefined) return null;
  return explaining.of(methodOf(operation), pathOf(operation, idOfNow()));
}

/** The canonical path of the equivalent single request. */
function pathOf({ action, type }: Planned, standIn: DocumentId): string {
  if (action.kind === 'add') return pathOfType(type);
  const { id } = action;
  if (action.kind === 'acl')
    return pathOfAcl({ type, level: action.level }, localIdOf(id) === null ? id : standIn);
  const document = documentPathOf(type, id, standIn);
  return action.kind === 'change' && action.change.kind !== 'merge'
    ? addressesOfRelationship(document, segmentOf(action.change.name)).self
    : document;
}

function documentPathOf(type: TypeName, id: DocumentId, standIn: DocumentId): string {
  return pathOfDocument(type, localIdOf(id) === null ? id : standIn);
}

/** An id such as new documents get: for the path of a document that this list adds. */
function idOfNow(): DocumentId {
  return idOfSecond(Math.floor(Date.now() / 1000));
}

function tooLong(): Problem {
  return problem(
    'path-too-long',
    `The path of a single request to this end has more than ${LIMITS.path} bytes.`,
  );
}

function refusal(missing: 'token' | 'permission' | 'effort', question: string): Problem {
  switch (missing) {
    case 'token':
      return problem('token-required', 'Send a valid user token in the Authorization header.');
    case 'effort':
      return problem('forbidden', 'The patterns of the API key take too much work on these paths.');
    case 'permission':
      return problem('forbidden', `The API key does not permit ${question}.`);
  }
}
