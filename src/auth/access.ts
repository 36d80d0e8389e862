/** What a caller may do and see, decided before a handler runs. It is built here and nowhere else. */
import type { Link } from '../domain/documents.ts';
import { digest64 } from '../domain/digest.ts';
import type { Viewer } from '../domain/rights.ts';
import type { Asking } from '../domain/secrets.ts';
import type { WorkBudget } from '../domain/work.ts';
import type { Holder } from './holder.ts';
import type { ApiKey } from './keys.ts';
import { admit, type Admission, type PermittedMethod } from './permissions.ts';

/** Who is asking and what they may see. */
export interface Access {
  /** Whose rights are asked on documents; null for nobody's. */
  readonly viewer: Viewer;
  /** The user under a permission with ACL on, who owns what the request creates. */
  readonly owner: Link | null;
  /** The user of the request, if its token was checked. */
  readonly holder: Holder | null;
  /**
   * How the request's key would admit a GET of this path; null if not (spec, Authentication, rule 11). `exhausted`
   * when the key's patterns have taken more work than one request may.
   */
  readonly viewerOf: (path: string) => Asking | 'exhausted' | null;
  /** How the request's key and user would be admitted with another method and path. */
  readonly admissionOf: (method: PermittedMethod, path: string) => Admission;
  /** A digest of the key, its permissions and the user: two requests with equal views may see the same. */
  readonly view: string;
}

/** An admission that lets a request through. */
export type Admitted = Extract<Admission, { readonly admitted: true }>;

/** The access of an admitted key and its user. */
export function accessOf(
  { permissions, digest }: Pick<ApiKey, 'permissions' | 'digest'>,
  holder: Holder | null,
  admitted: Admitted,
  effort: WorkBudget,
): Access {
  // A key without ACL shows everybody the same documents; the user is identified only for `me`.
  const asksWho = permissions.some(({ acl }) => acl !== null);
  const view = holder === null || !asksWho ? digest : digest64([digest, ...holder.identities].join(' '));
  return build(admitted, holder, view, (method, path) => admit(permissions, method, path, holder, effort));
}

/** The access during a login: to nothing. */
export function accessOfNobody({ digest }: Pick<ApiKey, 'digest'>): Access {
  const nothing = { admitted: false, missing: 'token' } as const;
  return build({ viewer: [], owner: null }, null, digest, () => nothing);
}

const EVERYTHING: Admitted = { admitted: true, viewer: null, owner: null };

/** The access of the operator: to everything. */
export const OPERATOR_ACCESS: Access = build(EVERYTHING, null, '0'.repeat(16), () => EVERYTHING);

function build(
  { viewer, owner }: Pick<Admitted, 'viewer' | 'owner'>,
  holder: Holder | null,
  view: string,
  admissionOf: Access['admissionOf'],
): Access {
  const viewerOf = (path: string) => {
    const get = admissionOf('get', path);
    if (get.admitted) return get;
    return get.missing === 'effort' ? 'exhausted' : null;
  };
  return { viewer, owner, holder, viewerOf, admissionOf, view };
}
