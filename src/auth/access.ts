/** What a caller may do and see, decided before a handler runs. It is built here and nowhere else. */
import type { Link } from '../domain/documents.ts';
import { digest64 } from '../domain/digest.ts';
import { TRUSTED, type Principal } from '../domain/rules.ts';
import type { ReadPrincipal } from '../domain/secrets.ts';
import type { WorkBudget } from '../domain/work/work.ts';
import type { Holder } from './holder.ts';
import type { ApiKey } from './keys.ts';
import { admit, admitStranger, type Admission, type PermittedMethod } from './permissions.ts';
import { BoundRules, isOfViewer } from './rules.ts';

/** Who is asking and what they may see. */
export interface Access extends Principal {
  /** The user under a permission with ACL on, who owns what the request creates. */
  readonly owner: Link | null;
  /** The user, if the request's permission asks who that is: the creator of what the request creates. */
  readonly creator: Link | null;
  /** The user of the request, if its token was checked. */
  readonly holder: Holder | null;
  /**
   * How the request's key would admit a GET of this path; null if not (spec, Authentication, rule 11). `exhausted`
   * when the key's patterns have taken more work than one request may.
   */
  readonly viewerOf: (path: string) => ReadPrincipal | 'exhausted' | null;
  /** How the request's key and user would be admitted with another method and path. */
  readonly admissionOf: (method: PermittedMethod, path: string) => Admission;
  /** The access of somebody with the key, without a token, to another method and path; null if the key lacks it. */
  readonly strangerAt: (method: PermittedMethod, path: string) => Access | null;
  readonly hasRules: boolean;
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
  rules: BoundRules,
  effort: WorkBudget,
): Access {
  // A key without ACL shows everybody the same documents; the user is identified only for `me`.
  const view =
    holder === null || !permissions.some(isOfViewer)
      ? digest
      : digest64([digest, ...holder.identities].join(' '));
  const hasRules = permissions.some(({ rule }) => rule !== null);
  const admissionOf: Access['admissionOf'] = (method, path) =>
    admit(permissions, [method], path, holder, rules, effort);
  const strangerAt: Access['strangerAt'] = (method, path) =>
    accessOfStranger({ permissions, digest }, [method, path], effort);
  return build(admitted, { holder, view, hasRules, admissionOf, strangerAt });
}

/** The access of a stranger, who signs up or logs in: to nothing that is there, by the rule of the permission. */
export function accessOfStranger(
  key: Pick<ApiKey, 'permissions' | 'digest'>,
  [method, path]: readonly [PermittedMethod, string],
  effort: WorkBudget,
  rules = new BoundRules(null),
): Access | null {
  const admitted = admitStranger(key.permissions, method, path, rules, effort);
  if (!admitted.admitted) return null;
  // What the key lets them do next is told, and nothing shown.
  return { ...accessOf(key, null, admitted, rules, effort), viewerOf: () => null };
}

const EVERYTHING: Admitted = { admitted: true, ...TRUSTED, owner: null, creator: null };

export const OPERATOR_ACCESS: Access = build(EVERYTHING, {
  holder: null,
  view: '0'.repeat(16),
  hasRules: false,
  admissionOf: () => EVERYTHING,
  strangerAt: () => OPERATOR_ACCESS,
});

function build(
  { viewer, rule, owner, creator }: Omit<Admitted, 'admitted'>,
  caller: Pick<Access, 'holder' | 'view' | 'hasRules' | 'admissionOf' | 'strangerAt'>,
): Access {
  const viewerOf = (path: string) => {
    const get = caller.admissionOf('get', path);
    if (get.admitted) return get;
    return get.missing === 'effort' ? 'exhausted' : null;
  };
  return { viewer, rule, owner, creator, viewerOf, ...caller };
}
