/**
 * Files of documents (docs/files.md), where the documents are written: what no longer links to a file says so in a message
 * of its own transaction (file-carrier.ts). Types without files pay nothing.
 */
import { linksOf } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { CORE } from '../../../domain/types.ts';
import { unpackContent, type StoredContent } from '../../../domain/values/stored.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { Outbox } from '../../storage/outbox/outbox.ts';
import type { SettingsReader } from '../../storage/type-settings.ts';

/** Notes the files that a document has before a change and not after it; null for a deletion. */
export function noteReleased(
  { outbox, settings }: { readonly outbox: Outbox; readonly settings: SettingsReader },
  before: StoredContent,
  after: StoredContent | null,
): void {
  const names = settings.current?.files ?? [];
  if (names.length === 0 || before.relationships === null) return;
  const kept = after === null ? [] : filesOf(after, names);
  for (const id of new Set(filesOf(before, names))) {
    if (kept.includes(id)) continue;
    outbox.put({ kind: 'file', addressee: 'files', key: id, about: 'a file', payload: '' }, Date.now());
  }
}

function filesOf(content: StoredContent, names: readonly string[]): readonly DocumentId[] {
  const { relationships } = unpackContent(content);
  return names
    .flatMap((name) => linksOf(memberOf(relationships, name) ?? null))
    .flatMap(({ type, id }) => (type === CORE.file ? id : []));
}
