/** What is told of a decision: how a request was admitted, and which rules of an application refused it. Pure. */

/** Permissions of the key and their rules, rights on documents, checks or schemas of the type. */
export type Refuser = 'key' | 'rights' | 'check' | 'schema';

export type ExplainedPath = Readonly<{
  path: string;
  /** The place of the permission that admits the request; null without one. */
  permission: number | null;
  /** The members of that permission that are rules. */
  rules: readonly string[];
  /** What keeps each permission before it from admitting the request. */
  passed: readonly string[];
}>;

/** How a request was admitted, or was not. Plain data. */
export type Explanation = Readonly<{
  /** Whom rules that name the viewer are about. */
  user: Readonly<{ type: string; id: string }> | null;
  /** The path, and what `me` stands for. */
  paths: readonly ExplainedPath[];
}>;

export type Explained = Explanation & Readonly<{ by: Refuser | null }>;

interface Refusal {
  readonly code: string;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Null where it is none of these, or one that who asks may not know. */
export function refuserOf({ code, meta }: Refusal): Refuser | null {
  if (code === 'forbidden') return meta?.['right'] === undefined ? 'key' : 'rights';
  if (code === 'rule-violated') {
    if (meta?.['check'] !== undefined) return 'check';
    return meta?.['pointer'] === undefined ? null : 'key';
  }
  if (code === 'field-not-permitted' || code === 'token-required') return 'key';
  return code === 'schema-violation' ? 'schema' : null;
}
