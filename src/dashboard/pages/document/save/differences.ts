/** Two changes of one document, field by field: what was read, what somebody has written here, and what it is now. */
import { changesOf, member, withMember, type Draft, type Linkage } from '../draft.ts';
import type { Json } from '../../../../client/values.ts';

export type Side = 'mine' | 'theirs';

/** A field that one side has changed, or both. Undefined is a field that is not there. */
export interface Difference {
  readonly part: 'attributes' | 'relationships';
  readonly name: string;
  readonly base: Json | Linkage | undefined;
  readonly mine: Json | Linkage | undefined;
  readonly theirs: Json | Linkage | undefined;
  /** Who has changed it. */
  readonly by: Side | 'both';
}

export function differencesOf(base: Draft, mine: Draft, theirs: Draft): readonly Difference[] {
  return (['attributes', 'relationships'] as const).flatMap((part) => {
    const ours = changesOf<Json | Linkage>(base[part], mine[part]);
    const others = changesOf<Json | Linkage>(base[part], theirs[part]);
    // What both have changed to the same is no matter.
    const apart = changesOf<Json | Linkage>(theirs[part], mine[part]);
    return Object.keys(apart).map((name): Difference => {
      const isMine = Object.hasOwn(ours, name);
      const isTheirs = Object.hasOwn(others, name);
      return {
        part,
        name,
        base: member<Json | Linkage>(base[part], name),
        mine: member<Json | Linkage>(mine[part], name),
        theirs: member<Json | Linkage>(theirs[part], name),
        by: isMine && isTheirs ? 'both' : isMine ? 'mine' : 'theirs',
      };
    });
  });
}

/** What a side is chosen for, as one word. */
export function keyOf({ part, name }: Pick<Difference, 'part' | 'name'>): string {
  return `${part}/${name}`;
}

/** Their document with what was chosen of mine. */
export function merged(
  theirs: Draft,
  differences: readonly Difference[],
  sideOf: (difference: Difference) => Side | undefined,
): Draft {
  return differences
    .filter((difference) => sideOf(difference) === 'mine')
    .reduce<Draft>(
      (draft, { part, name, mine }) =>
        part === 'attributes'
          ? { ...draft, attributes: withMember(draft.attributes, name, mine as Json | undefined) }
          : { ...draft, relationships: withMember(draft.relationships, name, mine as Linkage | undefined) },
      theirs,
    );
}
