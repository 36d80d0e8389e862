/**
 * What a key decides about a request that nobody has sent (docs/api-keys.md): the code that decides about requests is
 * asked, with the key's permissions or with a draft of them.
 */
import { decide, refusalOf, type Decision } from '../../auth/decision.ts';
import { pathsOf } from '../../auth/explanation.ts';
import { holderOfUser, type Holder } from '../../auth/holder.ts';
import { readPermissions, type Permission, type PermittedMethod } from '../../auth/permissions.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Reason } from '../../collection/rpc/maintenance/rights.ts';
import { canonicalPath, type CanonicalPath } from '../../domain/addresses/canonical.ts';
import { pathOfAcl, pathOfDocument, pathOfType, aclTarget } from '../../domain/addresses/paths.ts';
import { keyOf } from '../../domain/documents.ts';
import { oneOf } from '../../domain/names.ts';
import { placeOf } from '../../domain/pointer.ts';
import { errorObject, fail, failed, ok, type Outcome } from '../../domain/problems.ts';
import { readId, isId, type DocumentId } from '../../domain/ids.ts';
import { EVERYONE, type Right } from '../../domain/rights.ts';
import { isRestricted, shows, type Principal } from '../../domain/rules.ts';
import { CORE, isOutputType, storedType, type TypeName } from '../../domain/types.ts';
import { isHolderType, typeInfo } from '../../domain/types/facts.ts';
import { isParsedObject, memberAt, type Parsed, type ParsedObject } from '../../domain/values/json.ts';
import { memberOf } from '../../domain/values/tree.ts';
import type { Presentable } from '../../domain/values/present.ts';
import { readDocument } from '../documents/body/read-body.ts';
import type { RequestContext, Handler } from '../endpoint.ts';
import { API_KEYS } from './kind.ts';

export const decideRequest: Handler = async (context) => {
  const question = readQuestion(context.body);
  if (!question.ok) return question;
  const permissions = await permissionsOf(context);
  if (!permissions.ok) return permissions;
  const holder = await holderNamed(context, question.value.user);
  if (!holder.ok) return holder;
  const decision = decide(permissions.value, question.value, holder.value);
  const { admission, resolved } = decision;
  const isAdmitted = admission.admitted && resolved !== null;
  const refusal = isAdmitted ? null : refusalOf(decision);
  return ok({
    status: 200,
    document: {
      meta: {
        admitted: isAdmitted,
        acl: admission.admitted && admission.viewer !== null,
        paths: pathsOf(decision),
        document: isAdmitted ? await documentOf(context, decision, admission) : null,
        errors: refusal === null ? [] : refusal.problems.map((each) => errorObject(each, context.base)),
      },
    },
  });
};

type User = Holder['token']['holder'];

const METHODS = ['get', 'post', 'patch', 'delete'] as const satisfies readonly PermittedMethod[];

/** `meta`: the method, the path, and perhaps a user. */
function readQuestion(body: Parsed) {
  const meta = memberAt(body, 'meta');
  if (!isParsedObject(meta)) {
    return fail('invalid-body', 'The meta member must be an object with a method and a path.', {
      pointer: '/meta',
    });
  }
  const sent = memberOf(meta, 'method');
  const lower = typeof sent === 'string' ? sent.toLowerCase() : undefined;
  const method = METHODS.find((each) => each === (lower === 'head' ? 'get' : lower));
  if (method === undefined) {
    const names = METHODS.map((each) => each.toUpperCase());
    return fail('invalid-body', `The method is one of ${oneOf(names, 'or')}.`, { pointer: '/meta/method' });
  }
  const path = readPath(meta);
  if (!path.ok) return path;
  const user = readUser(meta);
  return user.ok ? ok({ method, canonical: path.value, user: user.value }) : user;
}

/** The path in the form in which permissions see it. */
function readPath(meta: ParsedObject): Outcome<CanonicalPath> {
  const sent = memberOf(meta, 'path');
  const wrong = (detail: string) => fail('invalid-body', detail, { pointer: '/meta/path' });
  if (typeof sent !== 'string' || !/^\/[^?#]*$/.test(sent)) {
    return wrong('The path begins with a slash, and has no query.');
  }
  // As the address of a request is read: dot segments are resolved, and what must be encoded is.
  const url = URL.parse(`http://host${sent}`);
  const canonical = url === null ? null : canonicalPath(url.pathname);
  if (canonical?.ok !== true) return wrong(canonical?.problems[0]?.detail ?? 'No address has this path.');
  if (canonical.value.segments[0] === 'applications') return wrong('The operator needs no key.');
  return canonical;
}

function readUser(meta: ParsedObject): Outcome<User | null> {
  const sent = memberOf(meta, 'user') ?? null;
  if (sent === null) return ok(null);
  const [type, id] = ['type', 'id'].map((name) => memberAt(sent, name));
  const known = typeof id === 'string' ? readId(id) : undefined;
  if (typeof type === 'string' && isHolderType(type) && known !== undefined) return ok({ type, id: known });
  return fail('invalid-body', `The user is a {type, id} of ${CORE.user} or ${CORE.externalUser}, or null.`, {
    pointer: '/meta/user',
  });
}

/** The permissions of the addressed key, or those that `data` would give it; for those who may GET the key. */
async function permissionsOf(context: RequestContext): Promise<Outcome<readonly Permission[]>> {
  const { type, id } = context.parameters;
  const reading = context.access.viewerOf(pathOfDocument(type, id));
  if (reading === null || reading === 'exhausted' || !shows(reading.rule, 'permissions')) {
    const detail = 'The API key does not permit the permissions of this key to be read.';
    return fail('forbidden', detail, { header: 'api-key' });
  }
  const read = await collectionOf(context, type).read(id, reading);
  if (read.state === 'forbidden') return fail('forbidden', 'You have no right to read this key.');
  if (read.state !== 'found')
    return fail('document-not-found', `There is no document ${id} of type ${type}.`);
  if (memberAt(context.body, 'data') === undefined) {
    const stored = memberOf(read.document.attributes, 'permissions') ?? [];
    return ok(readPermissions(stored, null).permissions);
  }
  const draft = readDocument(context.body, type, id, API_KEYS);
  if (!draft.ok) return draft;
  const { content, problems } = draft.value;
  const sent = memberOf(content.attributes, 'permissions') ?? [];
  const { permissions, problems: faults } = readPermissions(
    sent,
    placeOf('data', 'attributes', 'permissions'),
  );
  const all = [...problems, ...faults];
  return all.length > 0 ? failed(...all) : ok(permissions);
}

/** Who would send the request. Groups decide about lists, so the answer tells of them: it is for readers of both. */
async function holderNamed(context: RequestContext, user: User | null): Promise<Outcome<Holder | null>> {
  if (user === null) return ok(null);
  const { type, id } = user;
  const pointer = '/meta/user';
  if (!readsAll(context, pathOfDocument(type, id)) || !readsAll(context, pathOfType(CORE.userGroup))) {
    const detail = 'Only who may read users and groups without ACL and rules can ask about a user.';
    return fail('forbidden', detail, { pointer });
  }
  const [missing, groups] = await Promise.all([
    collectionOf(context, type).calls.missing([id]),
    collectionOf(context, CORE.userGroup).calls.groupsOf(keyOf(user)),
  ]);
  if (missing.length > 0)
    return fail('document-not-found', `There is no document ${id} of type ${type}.`, { pointer });
  return ok(holderOfUser(context.application, user, groups));
}

/** Whether a GET of a path shows its sender everything. */
function readsAll({ access }: RequestContext, path: string): boolean {
  const reading = access.viewerOf(path);
  return reading !== null && reading !== 'exhausted' && reading.viewer === null && reading.rule === null;
}

/** Whether the rights on the addressed document, and the rule of the permission, let the request go on. */
async function documentOf(
  context: RequestContext,
  { method, resolved }: Decision,
  principal: Principal,
): Promise<Presentable> {
  const reached = resolved && reachedBy(method, resolved);
  if (reached === null || !isRestricted(principal)) return null;
  const { type, id, right } = reached;
  const known = { type, id, right };
  if (!maySee(context, reached)) return { ...known, granted: null, where: null, reasons: [] };
  const { viewer, rule } = principal;
  const collection = collectionOf(context, type);
  const isFiltered = rule !== null && rule.where !== null;
  const [allowed, shown, reasons] = await Promise.all([
    collection.allows(id, right, { viewer, rule, ifMatch: null }),
    isFiltered ? collection.allows(id, right, { viewer: null, rule, ifMatch: null }) : null,
    collection.calls.reasons(id, right, viewer),
  ]);
  const why = { where: shown && shown.ok, reasons: reasons.map(presentReason) };
  if (allowed.ok) return { ...known, granted: true, ...why };
  // A document that is not there is told to those who may know that.
  const isAbsent = allowed.problems.some(({ code }) => code === 'document-not-found');
  return { ...known, granted: isAbsent ? null : false, ...why };
}

/** A reason, with the documents that the right comes through, and who has it in the end. */
function presentReason({ entry, identities }: Reason): Presentable {
  const [type = EVERYONE, id] = identities.at(-1)?.split(' ') ?? [];
  return {
    setting: entry,
    through: identities.slice(0, -1).map((holders) => {
      const [of = '', at = '', right = ''] = holders.split(' ');
      return { type: of, id: at, right };
    }),
    identity: id === undefined ? EVERYONE : { type, id },
  };
}

/** The answer tells of rights and contents: it is for those who may read both. */
function maySee(context: RequestContext, { type, id }: Reached): boolean {
  const acl = pathOfAcl({ type, level: 'acl' }, id);
  return readsAll(context, pathOfDocument(type, id)) && readsAll(context, acl);
}

interface Reached {
  readonly type: TypeName;
  readonly id: DocumentId;
  readonly right: Right;
}

/** Null for a path that leads to no document with rights, and for a method that no such path has. */
function reachedBy(
  method: PermittedMethod,
  { segments: [module, segment = '', id = '', ...below] }: CanonicalPath,
): Reached | null {
  const target = aclTarget(segment);
  const type = target?.type ?? storedType(segment);
  if (!isId(id) || isOutputType(type) || typeInfo(type).module !== module) return null;
  const right =
    target === undefined ? rightOn(method, below) : below.length > 0 ? null : rightOnRights(method);
  return right && { type, id, right };
}

/** Both levels of rights are read and changed with the rights of the second. */
function rightOnRights(method: PermittedMethod): Right | null {
  if (method === 'get') return 'super-read';
  return method === 'patch' ? 'super-update' : null;
}

/** Relationships are changed with the right to change their document. */
function rightOn(method: PermittedMethod, below: readonly string[]): Right | null {
  const [first, , last] = below;
  if (below.length === 2 && first === 'relationships') return method === 'get' ? 'read' : 'update';
  if (first === 'versions' && below.length === 2) return method === 'get' ? 'read' : null;
  if (first === 'versions' && below.length === 3)
    return method === 'post' && last === 'restore' ? 'update' : null;
  if (below.length > 1) return null;
  if (first === 'links' && method === 'post') return 'read';
  if (method === 'get') return 'read';
  if (below.length > 0) return null;
  if (method === 'patch') return 'update';
  return method === 'delete' ? 'delete' : null;
}
