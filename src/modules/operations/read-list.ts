/**
 * The body of `POST /operations` into operations. A fault of shape anywhere in the list refuses the whole list. Faults
 * of content are collected with each operation, because failures of earlier operations come first.
 */
import { offerOf } from '../../domain/names.ts';
import type { Content } from '../../domain/documents.ts';
import { isParsedObject, memberAt, type Parsed, type ParsedObject } from '../../domain/values/json.ts';
import { aclTarget, type AclTarget } from '../../domain/addresses/paths.ts';
import { LIMITS, TOLD } from '../../domain/limits.ts';
import { readAclBody } from '../documents/rights/acl.ts';
import { fail, failed, gravest, ok, problem, type Outcome, type Problem } from '../../domain/problems.ts';
import type { LocalIds } from '../documents/body/read-meta.ts';
import { readDocument, readLinkage } from '../documents/body/read-body.ts';
import type { TagSeal } from '../../auth/tag-seal.ts';
import type { RequestContext } from '../endpoint.ts';
import { parseTagList, TAG_LIST_FORM, type TagList } from '../documents/tags/etag.ts';
import { faultOfNewFieldName, type FieldName } from '../../domain/field-names.ts';
import { faultAt, inOperation } from './faults.ts';
import { noneBefore, targetOfHref, targetOfIdentity, targetOfRef, type OperationTarget } from './target.ts';
import { localId, mergeOf, type Action } from '../../collection/rpc/writes/operations.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { readResourceType, type TypeName } from '../../domain/types.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import type { Update } from '../../operators/update/update.ts';

/** One operation, its target known and its data read. An id may be a local one (collection/write/lists/batch.ts). */
export interface Planned {
  readonly type: TypeName;
  readonly action: Action<Content, TagList>;
  /** Faults of content, in the order 403, 409, 422. */
  readonly problems: readonly Problem[];
  /** The operators of a change; null without. */
  readonly update: Update | null;
}

export interface OperationList {
  /** The types that the list writes. */
  readonly types: readonly TypeName[];
  readonly operations: readonly Planned[];
  /** False when an operation that fails is left out, and the others are performed. */
  readonly atomic: boolean;
  /** Its id, by which its changes are told from others. */
  readonly transaction: string;
}

/** What is read of an operation beside its type. */
type Read = Pick<Planned, 'action'> & Partial<Pick<Planned, 'problems' | 'update'>>;

const OPERATIONS = 'atomic:operations';

/** Members that JSON:API knows at the top, and that a list of operations must not have beside itself. */
const STRANGERS = ['data', 'included', 'errors', 'atomic:results'];

/** The address of the service, and what opens its tags. */
type Context = Pick<RequestContext, 'base' | 'tagSeal'>;

const OPS: ReadonlySet<string> = new Set(['add', 'update', 'remove', 'test']);

export function readList(body: Parsed, context: Context): Outcome<OperationList> {
  const sent = isParsedObject(body) ? memberOf(body, OPERATIONS) : undefined;
  if (!isParsedObject(body) || !isList(sent) || sent.length === 0) {
    const detail = `The member ${OPERATIONS} must be an array of at least one operation.`;
    return fail('invalid-body', detail, { pointer: `/${OPERATIONS}` });
  }
  const stranger = STRANGERS.find((name) => Object.hasOwn(body, name));
  if (stranger !== undefined) {
    const detail = `The member ${stranger} can not stand beside ${OPERATIONS}.`;
    return fail('invalid-body', detail, { pointer: `/${stranger}` });
  }
  if (sent.length > LIMITS.operations) {
    const detail = `A list has at most ${LIMITS.operations} operations; this one has ${sent.length}.`;
    return fail('list-too-large', detail, { pointer: `/${OPERATIONS}` });
  }
  const atomic = readAtomic(memberOf(body, 'meta'));
  if (atomic === undefined) {
    return fail('invalid-body', 'The meta member must be an object, and atomic in it a boolean.', {
      pointer: '/meta',
    });
  }
  const read = new ListReader(context, atomic).read(sent);
  return read.ok ? ok({ ...read.value, atomic, transaction: crypto.randomUUID() }) : read;
}

/** `meta: {"atomic": false}` stands at the top; undefined where the meta is malformed. */
function readAtomic(meta: Parsed | undefined): boolean | undefined {
  if (meta === undefined) return true;
  const atomic = isParsedObject(meta) ? (memberOf(meta, 'atomic') ?? true) : undefined;
  return typeof atomic === 'boolean' ? atomic : undefined;
}

class ListReader {
  readonly #context: Context;
  readonly #problems: Problem[] = [];
  readonly #operations: Planned[] = [];
  /** Positions of operations by the types and local ids of what they add. */
  readonly #added = new Map<string, number>();
  readonly #types = new Set<TypeName>();
  readonly #most: number;

  constructor(context: Context, atomic: boolean) {
    this.#context = context;
    this.#most = atomic ? LIMITS.operationsTypes : 1;
  }

  read(sent: readonly Parsed[]): Outcome<Pick<OperationList, 'types' | 'operations'>> {
    for (const [at, operation] of sent.entries()) {
      const planned = isParsedObject(operation)
        ? this.#operation(operation, at)
        : faultAt('', 'An operation must be an object.');
      if (planned.ok) this.#operations.push(planned.value);
      else this.#problems.push(...planned.problems.map((each) => inOperation(each, at)));
      if (this.#problems.length >= TOLD.inBody) break;
    }
    if (this.#problems.length > 0) return failed(...gravest(this.#problems).slice(0, TOLD.inBody));
    return ok({ types: [...this.#types], operations: this.#operations });
  }

  #operation(operation: ParsedObject, at: number): Outcome<Planned> {
    const op = memberOf(operation, 'op');
    if (typeof op !== 'string' || !OPS.has(op))
      return faultAt('/op', `The op must be add, update, remove or test.${offerOf(op, [...OPS])}`);
    const ifMatch = readIfMatch(operation, this.#context.tagSeal);
    if (!ifMatch.ok) return ifMatch;
    const target = this.#target(operation, op);
    if (!target.ok) return target;
    const type = this.#typeOf(target.value);
    if (!type.ok) return type;
    const read = this.#read(operation, op, at, target.value, ifMatch.value);
    if (!read.ok) return read;
    const { action, problems = [], update = null } = read.value;
    return ok({ type: type.value, action, problems, update });
  }

  #read(
    operation: ParsedObject,
    op: string,
    at: number,
    target: OperationTarget,
    ifMatch: TagList,
  ): Outcome<Read> {
    const { type, id, name } = target;
    const acl = aclTarget(type);
    if (acl !== undefined && id !== null) return this.#acl(operation, op, acl, target, ifMatch);
    if (id === null) {
      return op === 'add'
        ? this.#add(operation, type, at)
        : faultAt('/href', `One can not ${op} a collection.`);
    }
    if (name !== null && op === 'test') return faultAt('/op', 'A test is on a document.');
    if (name !== null) return this.#relink(operation, op, id, name, ifMatch);
    if (op === 'add')
      return faultAt('/ref', 'What is added to a document that exists is links: name the relationship.');
    if (op === 'remove') return ok({ action: { kind: op, id, ifMatch } });
    if (op === 'test') return readTest(operation, id, ifMatch);
    const submitted = readDocument(operation, type, id, undefined, this.#locals(target.lid));
    if (!submitted.ok) return submitted;
    const { content, problems, update } = submitted.value;
    return ok({
      action: { kind: 'change', id, change: mergeOf(content, update), ifMatch },
      problems,
      update,
    });
  }

  #target(operation: ParsedObject, op: string): Outcome<OperationTarget> {
    const ref = memberOf(operation, 'ref');
    const href = memberOf(operation, 'href');
    if (ref !== undefined && href !== undefined) return faultAt('', 'An operation has either ref or href.');
    if (ref !== undefined) return targetOfRef(ref, this.#findTarget);
    if (href !== undefined) return targetOfHref(href, this.#context.base);
    if (op === 'remove') return faultAt('', 'A remove names what goes by ref or href.');
    if (op === 'test') return faultAt('', 'A test names its document by ref or href.');
    const data = memberOf(operation, 'data');
    if (!isParsedObject(data)) return faultAt('/data', 'The data member must be a resource object.');
    if (op === 'update') return targetOfIdentity(data, '/data', this.#findTarget);
    const type = memberOf(data, 'type');
    if (typeof type !== 'string') return faultAt('/data/type', 'The type member must be a string.');
    return ok({ type, typePlace: '/data/type', id: null, lid: null, name: null });
  }

  /** A list writes types under /resources, and no more than a few. */
  #typeOf({ type, typePlace, id }: OperationTarget): Outcome<TypeName> {
    // Rights are those on a document: there is no collection of them.
    const known = readResourceType((id === null ? undefined : aclTarget(type)?.type) ?? type);
    if (known === undefined) {
      const detail = `Operations write documents of /resources; ${type.slice(0, 200)} is no such type.`;
      return faultAt(typePlace, detail, 'invalid-type');
    }
    this.#types.add(known);
    if (this.#types.size <= this.#most) return ok(known);
    const detail =
      this.#most === 1
        ? `A list that goes on after a failure writes one type, here ${[...this.#types][0]}: ` +
          `send those of ${type} in a list of their own.`
        : `A list writes at most ${this.#most} types.`;
    return faultAt(typePlace, detail, 'invalid-type');
  }

  #add(operation: ParsedObject, type: string, at: number): Outcome<Read> {
    if (memberAt(operation, 'meta', 'if-match') !== undefined) {
      return faultAt('/meta/if-match', 'What is added is not there before: an add has no if-match.');
    }
    const lid = memberAt(operation, 'data', 'lid');
    const submitted = readDocument(operation, type, null, undefined, {
      // What is added may link to itself.
      find: (linked, named) => (linked === type && named === lid ? localId(at) : this.#find(linked, named)),
      unknown: noneBefore,
    });
    if (!submitted.ok) return submitted;
    if (typeof lid === 'string') {
      const key = keyOfLocal(type, lid);
      const other = this.#added.get(key);
      if (other !== undefined) return faultAt('/data/lid', `Operation ${other} has the same lid.`);
      this.#added.set(key, at);
    }
    const { id, content, grants, problems } = submitted.value;
    return ok({
      action: { kind: 'add', content, ...(id !== null && { id }), ...(grants !== null && { grants }) },
      problems,
    });
  }

  /** Rights are changed as at the address of an ACL: there is an update and nothing else. */
  #acl(
    operation: ParsedObject,
    op: string,
    { level }: AclTarget,
    { type, id, lid, name }: OperationTarget,
    ifMatch: TagList,
  ): Outcome<Read> {
    if (op !== 'update' || id === null) return faultAt('/op', 'The op on an ACL must be update.');
    if (name !== null) return faultAt('/ref/relationship', 'An ACL has no relationships.');
    const read = readAclBody(operation, type, id, level, this.#locals(lid));
    if (!read.ok) return read;
    const { grants, problems } = read.value;
    return ok({ action: { kind: 'acl', id, level, grants, ifMatch }, problems });
  }

  #relink(
    operation: ParsedObject,
    op: string,
    id: DocumentId,
    name: FieldName,
    ifMatch: TagList,
  ): Outcome<Read> {
    const submitted = readLinkage(operation, op !== 'update', this.#locals(null));
    if (!submitted.ok) return submitted;
    const kind = op === 'add' ? 'add-links' : op === 'update' ? 'replace-links' : 'remove-links';
    const fault = kind === 'remove-links' ? undefined : faultOfNewFieldName(name);
    const problems = fault === undefined ? [] : [problem('invalid-field-name', fault, { pointer: '' })];
    const change = { kind, name, linkage: submitted.value.content } as const;
    return ok({
      action: { kind: 'change', id, change, ifMatch },
      problems: [...problems, ...submitted.value.problems],
    });
  }

  readonly #find = (type: string, lid: string): DocumentId | undefined => {
    const at = this.#added.get(keyOfLocal(type, lid));
    return at === undefined ? undefined : localId(at);
  };

  /** A document's ACL is named as the document is. */
  readonly #findTarget = (type: string, lid: string): DocumentId | undefined =>
    this.#find(aclTarget(type)?.type ?? type, lid);

  #locals(addressed: string | null): LocalIds {
    return { find: this.#find, unknown: noneBefore, ...(addressed !== null && { addressed }) };
  }
}

/** `meta: {"if-match": …}` holds the value of the header of a single request. */
function readIfMatch(operation: ParsedObject, seal: TagSeal): Outcome<TagList> {
  const meta = memberOf(operation, 'meta');
  if (meta === undefined) return ok(null);
  if (!isParsedObject(meta)) return faultAt('/meta', 'The meta member must be an object.');
  const text = memberOf(meta, 'if-match');
  if (text === undefined) return ok(null);
  const list = typeof text === 'string' ? parseTagList(seal, text, false) : undefined;
  if (list !== undefined) return ok(list);
  return faultAt('/meta/if-match', `The if-match must be a string of ${TAG_LIST_FORM}.`);
}

/** A test of what must be there as it was, or not be there: `meta: {"if-none-match": "*"}`. */
function readTest(operation: ParsedObject, id: DocumentId, ifMatch: TagList): Outcome<Read> {
  const text = memberAt(operation, 'meta', 'if-none-match');
  const absent = text !== undefined;
  if (absent && text !== '*')
    return faultAt('/meta/if-none-match', 'The if-none-match of a test is "*": there must be no document.');
  if (absent && ifMatch !== null) return faultAt('/meta', 'A test has either if-match or if-none-match.');
  return ok({ action: { kind: 'test', id, ifMatch, ...(absent && { absent }) } });
}

/** No type name has a space. */
function keyOfLocal(type: string, lid: string): string {
  return `${type} ${lid}`;
}
