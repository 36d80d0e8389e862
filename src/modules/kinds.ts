/** Which kind of document each type is. */
import { API_KEYS } from './api-keys/kind.ts';
import { APPLICATIONS, APPLICATION_TYPE } from './applications/kind.ts';
import { SCHEMAS } from './schemas/kind.ts';
import { EXTERNAL_USERS, GROUPS, TOKENS, USERS } from './users/kinds.ts';
import type { DocumentKind } from './documents/kind.ts';

const KINDS: Readonly<Record<string, DocumentKind>> = {
  'core.api-key': API_KEYS,
  'core.schema': SCHEMAS,
  'core.user': USERS,
  'core.user.token': TOKENS,
  'core.user-group': GROUPS,
  'core.external-user': EXTERNAL_USERS,
  'core.external-user.token': TOKENS,
  [APPLICATION_TYPE]: APPLICATIONS,
};

const PLAIN: DocumentKind = {};

export function kindOfType(type: string): DocumentKind {
  return (Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? PLAIN;
}
