/** The document that a path leads to, and the right on it that a method needs (docs/users.md). Pure. */
import type { PermittedMethod } from '../../auth/permissions.ts';
import { aclTarget } from '../../domain/addresses/paths.ts';
import type { CanonicalPath } from '../../domain/addresses/canonical.ts';
import { isId, type DocumentId } from '../../domain/ids.ts';
import type { Right } from '../../domain/rights.ts';
import { typeInfo } from '../../domain/types/facts.ts';
import { isOutputType, storedType, type TypeName } from '../../domain/types.ts';

export interface Reached {
  readonly type: TypeName;
  readonly id: DocumentId;
  readonly right: Right;
}

/** Null for a path that leads to no document with rights, and for a method that no such path has. */
export function reachedBy(
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
