/** The documents of tokens: what is stored of a token, and which token one stands for. No token itself is stored. */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Environment } from '../../collection/rpc/environment.ts';
import type { Written } from '../../collection/rpc/results.ts';
import { keyOf, linksOf, type Document } from '../../domain/documents.ts';
import type { Outcome } from '../../domain/problems.ts';
import type { Rule } from '../../domain/rules.ts';
import type { HolderType } from '../../domain/types.ts';
import { isHolderType, TOKEN_LIFETIME, TOKEN_OVER, tokenTypeOf } from '../../domain/types/facts.ts';
import type { TokenClaims } from '../credentials.ts';
import type { LoggedIn } from '../login/login.ts';
import { secondsOf, type ApplicationId, type DocumentId } from '../../domain/ids.ts';
import type { AccountSettings } from '../../domain/accounts/settings.ts';
import type { CallContext } from '../../collection/rpc/call-context.ts';

/** The attribute of a token that holds the version of its holder; answers do not show it. */
export const HOLDER_VERSION = 'holder-version';

/** The attribute that holds when the login ends, if that is not after the longest time. */
export const ENDS = 'ends';

/** How a login goes on whose tokens end before it. */
interface Renewal {
  /** For which each token is valid. */
  readonly minutes: number;
  /** When it was refreshed last, in milliseconds since 1970, and how often; not told where a cookie has it. */
  readonly at: number;
  readonly round: number | undefined;
}

export function renewalOf({ attributes }: Pick<Document, 'attributes'>): Renewal | undefined {
  const { minutes, renewed, round } = attributes;
  if (typeof minutes !== 'number' || !(renewed instanceof Date)) return undefined;
  return { minutes, at: renewed.getTime(), round: typeof round === 'number' ? round : undefined };
}

/** Where somebody logs in. */
export interface Device {
  /** As it calls itself. */
  readonly name: string | null;
  /** Of its network, as the platform says: `DE`. */
  readonly country: string | null;
}

/** Stores a token that is valid while its holder has this version, as long as the settings say or the longest time. */
export async function makeToken(
  caller: {
    readonly environment: Environment;
    readonly application: ApplicationId;
    readonly device?: Device | undefined;
  },
  { holder, version }: LoggedIn,
  rule: Rule | null,
  lasts: Pick<AccountSettings, 'sessionHours' | 'tokenMinutes'> | null = null,
): Promise<Outcome<Written<Document>>> {
  const type = tokenTypeOf(holder.type);
  const { name = null, country = null } = caller.device ?? {};
  const created = new Date();
  const { tokenMinutes: minutes = null, sessionHours = null } = lasts ?? {};
  const hours = minutes === null ? sessionHours : (sessionHours ?? TOKEN_LIFETIME / 3_600);
  const content = {
    attributes: {
      ...{ created, [HOLDER_VERSION]: version },
      ...(hours !== null && { [ENDS]: new Date(created.getTime() + hours * 3_600_000) }),
      ...(minutes !== null && { minutes, renewed: created, round: 0 }),
      ...(name !== null && { device: name }),
      ...(country !== null && { country }),
    },
    relationships: { user: holder },
  };
  return collectionOf(caller, type).create({ content, owners: [keyOf(holder)], rule });
}

/** Ends tokens at once and for good: also those that logins get which are refreshed meanwhile. */
export function endTokens(
  caller: CallContext,
  type: HolderType,
  tokens: readonly { readonly id: DocumentId; readonly holders: readonly string[] }[],
): Promise<Outcome<null>> {
  const ended = tokens.map((token) => ({ ...token, until: secondsOf(token.id) + TOKEN_OVER }));
  return collectionOf(caller, type).calls.endTokens(ended);
}

/** The claims of a token document's token; undefined for another document. */
export function claimsOf(
  application: ApplicationId,
  { id, attributes, relationships }: Document,
): TokenClaims | undefined {
  const [holder] = linksOf(relationships['user'] ?? null);
  const version = attributes[HOLDER_VERSION];
  const { created, [ENDS]: ends } = attributes;
  const { at = Infinity, minutes = 0 } = renewalOf({ attributes }) ?? {};
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
    ...(ends instanceof Date && {
      ends: Math.floor(Math.min(ends.getTime(), at + minutes * 60_000) / 1000),
    }),
  };
}
