/** The alias `me`: the id that the user token in the `Authorization` header stands for (spec, Users module). */
import type { CanonicalPath } from '../domain/addresses/canonical.ts';
import { pathOfDocument } from '../domain/addresses/paths.ts';
import { typeInfo } from '../domain/types/facts.ts';
import type { Holder } from './holder.ts';

/** True for a path whose id is `me`, where `me` is an id: of the user's own document, and of the token itself. */
export function isMe({ segments }: CanonicalPath): boolean {
  const [first, type = '', id] = segments;
  if (segments.length !== 3 || id !== 'me') return false;
  const { module, holdsTokens, tokensOf } = typeInfo(type);
  return first === module && (holdsTokens === true || tokensOf !== undefined);
}

/** The path with the id that `me` stands for, or null when the token's holder is not of the type. */
export function resolveMe({ segments }: CanonicalPath, { token }: Holder): CanonicalPath | null {
  const [module = '', type = ''] = segments;
  const own = type === token.holder.type ? token.holder.id : null;
  const id = typeInfo(type).tokensOf === token.holder.type ? token.id : own;
  return id === null ? null : { path: pathOfDocument(type, id), segments: [module, type, id] };
}
