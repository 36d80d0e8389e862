/** The account settings of the application of a request. One call, which only requests about accounts make. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { Asker } from '../../../collection/rpc/client-reads.ts';
import { accountSettingsOf, SCOPE, type AccountSettings } from '../../../domain/accounts/settings.ts';
import { linksOf, type Link } from '../../../domain/documents.ts';
import { fail } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';

export interface HeldSettings extends AccountSettings {
  /** The groups that new users join. */
  readonly groups: readonly Link[];
}

/** Null where the application has none. */
export async function accountSettings(asker: Asker): Promise<HeldSettings | null> {
  const stored = await collectionOf(asker, CORE.accountSettings).findUnique(SCOPE.name, SCOPE.value);
  if (stored === null) return null;
  const groups = linksOf(stored.relationships['groups'] ?? null);
  return { ...accountSettingsOf(stored.attributes), groups };
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
