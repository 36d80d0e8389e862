/** The documents of tokens: what is stored of a token, and which token one stands for. The token itself is stored nowhere. */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Environment } from '../../collection/rpc/environment.ts';
import type { Written } from '../../collection/rpc/results.ts';
import { keyOf, linksOf, type Document } from '../../domain/documents.ts';
import type { Outcome } from '../../domain/problems.ts';
import type { Rule } from '../../domain/rules.ts';
import { isHolderType, tokenTypeOf } from '../../domain/types/facts.ts';
import type { TokenClaims } from '../credentials.ts';
import type { LoggedIn } from '../login/login.ts';
import type { ApplicationId } from '../../domain/ids.ts';

/** The attribute of a token that holds the version of its holder; answers do not show it. */
export const HOLDER_VERSION = 'holder-version';

/** When it ends, if that is before the longest time. */
export const ENDS = 'ends';

/** What answers show of a token is its value, and when it was made: the rest is for the service, and for sessions. */
export const HIDDEN_OF_TOKEN: readonly string[] = [HOLDER_VERSION, ENDS, 'device', 'country'];

/** Where somebody logs in. */
export interface Device {
  /** As it calls itself. */
  readonly name: string | null;
  /** Of its network, as the platform says: `DE`. */
  readonly country: string | null;
}

/** Stores a token that is valid while its holder has this version, for so many hours or the longest time. */
export async function makeToken(
  asker: {
    readonly environment: Environment;
    readonly application: ApplicationId;
    readonly device?: Device | undefined;
  },
  { holder, version }: LoggedIn,
  rule: Rule | null,
  hours: number | null = null,
): Promise<Outcome<Written<Document>>> {
  const type = tokenTypeOf(holder.type);
  const { name = null, country = null } = asker.device ?? {};
  const created = new Date();
  const content = {
    attributes: {
      ...{ created, [HOLDER_VERSION]: version },
      ...(hours !== null && { [ENDS]: new Date(created.getTime() + hours * 3_600_000) }),
      ...(name !== null && { device: name }),
      ...(country !== null && { country }),
    },
    relationships: { user: holder },
  };
  return collectionOf(asker, type).create({ content, owners: [keyOf(holder)], rule });
}

/** The claims of a token document's token; undefined for another document. */
export function claimsOf(
  application: ApplicationId,
  { id, attributes, relationships }: Document,
): TokenClaims | undefined {
  const [holder] = linksOf(relationships['user'] ?? null);
  const version = attributes[HOLDER_VERSION];
  const { created, [ENDS]: ends } = attributes;
  if (holder === undefined || typeof version !== 'number' || !(created instanceof Date)) return undefined;
  if (!isHolderType(holder.type)) return undefined;
  const { type } = holder;
  return {
    kind: 'token',
    application,
    id,
    holder: { type, id: holder.id },
    version,
    created: created.getTime(),
    ...(ends instanceof Date && { ends: Math.floor(ends.getTime() / 1000) }),
  };
}
