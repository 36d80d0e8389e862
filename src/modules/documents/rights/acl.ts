/** The ACL documents of every stored type: `<type>.acl`, and `<type>.acl.acl` for the rights on those rights. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { memberAt, type Parsed } from '../../../domain/values/json.ts';
import { placeOf } from '../../../domain/pointer.ts';
import { fail, failed, ok, problem, type Outcome } from '../../../domain/problems.ts';
import type { AclLevel } from '../../../domain/rights.ts';
import type { RequestContext, Handler } from '../../endpoint.ts';
import { showsWritten } from '../../preferences.ts';
import { answerTagged, cachingOfOne } from '../answer/answers.ts';
import { readGrants, type Grants, type LocalIds } from '../body/read-meta.ts';
import { ifMatchOf } from '../tags/conditions.ts';
import type { TagList } from '../tags/etag.ts';
import { ACL_FIELD, aclNotWritable, readerOf } from './rules.ts';
import { readDocument } from '../body/read-body.ts';
import { forbidden } from '../../../collection/rpc/refusals.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { aclTarget, pathOfAcl, type AclTarget } from '../../../domain/addresses/paths.ts';
import { principalOf, shows } from '../../../domain/rules.ts';
import { presentAcl } from '../answer/resource.ts';

export const readAcl: Handler = async (context) => {
  const { type, id } = context.parameters;
  const target = targetOf(context);
  if (!shows(context.access.rule, ACL_FIELD)) return notShown();
  const read = await collectionOf(context, target.type).readAcl(id, context.access);
  switch (read.state) {
    case 'forbidden':
      return forbidden('super-read', context.access);
    case 'absent':
      return fail('document-not-found', `There is no document ${id} of type ${target.type}.`);
    default: {
      const caching = cachingOfOne(context, { type, id, version: read.version });
      const stamps = [{ type, version: read.version, of: target.type }];
      const data = read.state === 'deleted' ? null : presentAcl(context.base, target, id, read.acl);
      const unchanged = { stamps, view: null, set: null };
      return answerTagged(context, [unchanged], caching, () => ({ data }), [], data !== null);
    }
  }
};

export const updateAcl: Handler = async (context) => {
  const { type, id } = context.parameters;
  const target = targetOf(context);
  const read = readAclBody(context.body, type, id, target.level);
  if (!read.ok) return read;
  const denied = aclNotWritable(context.access.rule, '/data/attributes');
  if (denied.length > 0) return failed(...denied);
  const collection = collectionOf(context, target.type);
  const seen = (list: TagList) => ifMatchOf(list, context.application, { type, id });
  const conditions = { ifMatch: seen(context.ifMatch), ifNoneMatch: seen(context.ifNoneMatch) };
  const precondition = { ...principalOf(context.access), ...conditions };
  if (read.value.problems.length > 0) {
    // Rights and the precondition come before the content (decisions, section 1).
    const admitted = await collection.allows(id, 'super-update', precondition);
    return admitted.ok ? failed(...read.value.problems) : admitted;
  }
  const updated = await collection.updateAcl(id, target.level, read.value.grants, precondition);
  if (!updated.ok) return updated;
  const { acl, version, readable } = updated.value;
  const caching = cachingOfOne(context, { type, id, version });
  const isAsked = showsWritten(context.preferences, context.ifMatch === null);
  if (!isAsked || !readable || !(await isShown(context, target, id))) {
    return ok({ status: 204, ...caching });
  }
  return ok({ status: 200, document: { data: presentAcl(context.base, target, id, acl) }, ...caching });
};

/** Whether the ACL is shown that a request has changed: no more than a GET at its address would show. */
async function isShown(context: RequestContext, target: AclTarget, id: DocumentId): Promise<boolean> {
  const { access } = context;
  const reader = readerOf(access, pathOfAcl(target, id));
  if (!shows(access.rule, ACL_FIELD) || !shows(reader?.rule ?? null, ACL_FIELD)) return false;
  if (reader === undefined) return true;
  return (await collectionOf(context, target.type).readAcl(id, reader)).state === 'found';
}

/** The same for every ACL: it depends on the key alone. */
function notShown(): Outcome<never> {
  const detail = `The API key does not show the field ${ACL_FIELD}: its permission names the fields that it shows.`;
  return fail('field-not-permitted', detail, { header: 'api-key' });
}

function targetOf({ parameters }: RequestContext): AclTarget {
  const target = aclTarget(parameters.type);
  if (target === undefined) throw new Error(`${parameters.type} is no ACL type.`);
  return target;
}

/** The rights in a body; any other member is a fault. */
export function readAclBody(
  body: Parsed,
  type: string,
  id: string,
  level: AclLevel,
  locals?: LocalIds,
): Outcome<Grants> {
  const submitted = readDocument(body, type, id, undefined, locals);
  if (!submitted.ok) return submitted;
  const { content } = submitted.value;
  const problems = submitted.value.problems.filter(
    ({ code }) => code === 'type-conflict' || code === 'id-conflict',
  );
  if (problems.length > 0) return failed(...problems);
  const { grants, problems: wrong } = readGrants(content.attributes, level, placeOf('data', 'attributes'));
  const faults = [...wrong];
  if (submitted.value.update !== null) {
    faults.push(
      problem('invalid-update', 'Rights are replaced as a whole.', { pointer: '/data/meta/update' }),
    );
  }
  if (memberAt(body, 'data', 'relationships') !== undefined) {
    faults.push(
      problem('invalid-relationship', 'An ACL has no relationships.', { pointer: '/data/relationships' }),
    );
  }
  return ok({ grants, problems: faults });
}
