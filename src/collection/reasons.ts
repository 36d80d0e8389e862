/** Why somebody has a right on a document: the table of rights says that, its ACL and the settings say by what. */
import type { DocumentId } from '../domain/ids.ts';
import { namedBy, type Right, type Viewer } from '../domain/rights.ts';
import type { Reason } from './rpc/maintenance/rights.ts';
import type { Transactor } from './write/transactor.ts';

/** Reasons that are told at most. */
const MOST = 20;

export function reasonsOf(
  { constraints, inherited, records, rights }: Transactor,
  id: DocumentId,
  right: Right,
  viewer: Viewer,
): readonly Reason[] {
  const document = records.find(id);
  if (document === undefined || viewer === null) return [];
  const all = new Set(rights.identitiesOf(viewer));
  const own = namedBy(rights.of(document.seq)[right]).map((identity) => ({ entry: null, identity }));
  return [...own, ...constraints.entriesOf(document, right)]
    .filter(({ identity }) => all.has(identity))
    .slice(0, MOST)
    .map(({ entry, identity }) => ({ entry, identities: inherited.wayTo(identity, new Set(viewer)) }));
}
