/** Which kind of document each type is. */
import { APPLICATION_TYPE } from '../auth/issuers.ts';
import { AGGREGATES, OUTPUTS } from './aggregates/kind.ts';
import { API_KEYS } from './api-keys/kind.ts';
import { APPLICATIONS } from './applications/kind.ts';
import { SCHEMAS } from './schemas/kind.ts';
import { EXTERNAL_TOKENS, EXTERNAL_USERS, GROUPS, USER_TOKENS, USERS } from './users/kinds.ts';
import type { DocumentKind } from './documents/kind.ts';

const KINDS: Readonly<Record<string, DocumentKind>> = {
  'core.aggregate': AGGREGATES,
  'core.api-key': API_KEYS,
  'core.schema': SCHEMAS,
  'core.user': USERS,
  'core.user.token': USER_TOKENS,
  'core.user-group': GROUPS,
  'core.external-user': EXTERNAL_USERS,
  'core.external-user.token': EXTERNAL_TOKENS,
  [APPLICATION_TYPE]: APPLICATIONS,
};

const PLAIN: DocumentKind = {};

export function kindOfType(type: string): DocumentKind {
  if (type.startsWith('agt.')) return OUTPUTS;
  return (Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? PLAIN;
}
