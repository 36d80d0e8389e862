/** The account settings of the application of a request. One call, which only requests about accounts make. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CallContext } from '../../../collection/rpc/call-context.ts';
import { accountSettingsOf, SCOPE, type AccountSettings } from '../../../domain/accounts/settings.ts';
import { linksOf, type Link } from '../../../domain/documents.ts';
import { fail } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';

export interface HeldSettings extends AccountSettings {
  /** The groups that new users join. */
  readonly groups: readonly Link[];
  /** The groups whose users must have a second factor, where one is required; all users without any. */
  readonly factorGroups: readonly Link[];
}

/** The relationships of the settings, all to groups. */
export const GROUPS_OF_SETTINGS = ['groups', 'factor-groups'] as const;

/** Null where the application has none. */
export async function accountSettings(caller: CallContext): Promise<HeldSettings | null> {
  const stored = await collectionOf(caller, CORE.accountSettings).findUnique(SCOPE.name, SCOPE.value);
  if (stored === null) return null;
  const [groups = [], factorGroups = []] = GROUPS_OF_SETTINGS.map((name) =>
    linksOf(stored.relationships[name] ?? null),
  );
  return { ...accountSettingsOf(stored.attributes), groups, factorGroups };
}

/** The text of an attribute; undefined where it is none. */
export function textAt(attributes: Fields, name: string): string | undefined {
  const value = memberOf(attributes, name);
  return typeof value === 'string' ? value : undefined;
}

export function closed() {
  return fail('forbidden', 'The account settings of the application do not allow this.', {
    header: 'api-key',
  });
}
