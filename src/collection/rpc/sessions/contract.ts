/**
 * Sessions: what both sides of a call to one know. A session is the object of one holder, a user or external user of an
 * application. It remembers whether the holder's tokens stand and which groups the holder is in, as long as its lease
 * on that lasts; so the collections that all users share are not asked at every request.
 */
import type { Link } from '../../../domain/documents.ts';
import type { ApplicationId, DocumentId } from '../../../domain/ids.ts';
import type { HolderType } from '../../../domain/types.ts';

export interface SessionName {
  readonly application: ApplicationId;
  readonly holder: Link & { readonly type: HolderType };
}

/** What decides about one token of the holder. */
export interface TokenOfHolder {
  readonly id: DocumentId;
  /** The version of the holder's document that the token was made for. */
  readonly version: number;
}

export interface TokenStanding {
  /** False for a token that has ended: it never stands again. Null for an unknown one: its holder may be imported. */
  readonly stands: boolean | null;
  /** The groups that the holder is in. */
  readonly groups: readonly DocumentId[];
  /** Whether nobody has asked in this hour before, as far as the session remembers: then the use is noted. */
  readonly isFirst?: boolean;
}

export interface SessionObject extends Rpc.DurableObjectBranded {
  /** What holds now: no change that was answered before this call is missing. */
  ask(name: SessionName, token: TokenOfHolder): Promise<TokenStanding>;
  /** To be called after the holder, its tokens or its groups have changed: what was told before counts no more. */
  changed(): void | Promise<void>;
}
