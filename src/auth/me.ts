/** The alias `me`: the id that the user token in the `Authorization` header stands for (spec, Users module). */
import type { Holder } from './holder.ts';
import type { CanonicalPath } from './canonical-path.ts';

/** For which types `me` is an id: the user's own document, and the document of the token itself. */
const IDS: Readonly<Record<string, (holder: Holder) => string | null>> = {
  'core.user': ownId('core.user'),
  'core.external-user': ownId('core.external-user'),
  'core.user.token': tokenId('core.user'),
  'core.external-user.token': tokenId('core.external-user'),
};

/** True for a path whose id is `me`, where `me` is an id. */
export function isMe({ segments }: CanonicalPath): boolean {
  const [module, type = '', id] = segments;
  return segments.length === 3 && module === 'users' && id === 'me' && Object.hasOwn(IDS, type);
}

/** The path with the id that `me` stands for, or null when the token's holder is none of the type. */
export function resolveMe({ segments }: CanonicalPath, holder: Holder): CanonicalPath | null {
  const [, type = ''] = segments;
  const id = IDS[type]?.(holder) ?? null;
  return id === null ? null : { path: `/users/${type}/${id}`, segments: ['users', type, id] };
}

function ownId(type: string) {
  return ({ token }: Holder) => (token.holder.type === type ? token.holder.id : null);
}

function tokenId(type: string) {
  return ({ token }: Holder) => (token.holder.type === type ? token.id : null);
}
