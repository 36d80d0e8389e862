/** Which kind of document each type is. */
import { CORE, isAggregateType } from '../domain/types.ts';
import { AGGREGATES, OUTPUTS } from './aggregates/kind.ts';
import { API_KEYS } from './api-keys/kind.ts';
import { APPLICATIONS } from './applications/kind.ts';
import { FILES } from './files/kind.ts';
import { SCHEMAS } from './schemas/kind.ts';
import { TYPE_SETTINGS } from './schemas/type-settings.ts';
import { ACCOUNT_SETTINGS } from './users/accounts/kinds.ts';
import { TEMPLATES } from './users/accounts/templates.ts';
import { MADE, PROVIDERS, PASSKEYS } from './users/providers/kinds.ts';
import { GROUPS, TOKENS, USERS } from './users/kinds.ts';
import { WEBHOOKS } from './webhooks/kind.ts';
import type { DocumentKind } from './documents/kind.ts';

const KINDS: Readonly<Record<string, DocumentKind>> = {
  [CORE.aggregate]: AGGREGATES,
  [CORE.apiKey]: API_KEYS,
  [CORE.file]: FILES,
  [CORE.schema]: SCHEMAS,
  [CORE.typeSettings]: TYPE_SETTINGS,
  [CORE.user]: USERS,
  [CORE.accountSettings]: ACCOUNT_SETTINGS,
  [CORE.mailTemplate]: TEMPLATES,
  [CORE.passkey]: PASSKEYS,
  [CORE.identityProvider]: PROVIDERS,
  [CORE.identity]: MADE,
  [CORE.secondFactor]: MADE,
  [CORE.userToken]: TOKENS,
  [CORE.userGroup]: GROUPS,
  [CORE.externalUserToken]: TOKENS,
  [CORE.application]: APPLICATIONS,
  [CORE.webhook]: WEBHOOKS,
};

const PLAIN: DocumentKind = {};

export function kindOfType(type: string): DocumentKind {
  if (isAggregateType(type)) return OUTPUTS;
  return (Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? PLAIN;
}
