/** `GET …/documents/{type}` of an application: one page of an export of the type, as lines of JSON. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CallContext } from '../../../collection/rpc/call-context.ts';
import type { LazyDocument } from '../../../collection/rpc/packing/documents.ts';
import type { Exported } from '../../../collection/rpc/maintenance/transfer.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { CORE, type TypeName } from '../../../domain/types.ts';
import { isExported, isHolderType, typeInfo } from '../../../domain/types/facts.ts';
import { EVERYONE } from '../../../domain/rights.ts';
import type { Handler } from '../../endpoint.ts';
import { applicationInside } from './types.ts';
import { lineOf, lineOfDeletion, lineOfVersion } from './write-line.ts';

export const exportDocuments: Handler = async (context) => {
  const { type, id } = context.parameters;
  const { page, single, unpaged } = context.query;
  const [tokens, history] = [single.has('tokens'), single.has('history')];
  if (!tokens && !isExported(type)) return fail('not-found', `There is no endpoint ${context.path}.`);
  if (page.style !== 'cursor') {
    const detail = 'An export is read with page[after], empty for the first page, and page[size].';
    return fail('invalid-parameter', detail, { parameter: 'page[after]' });
  }
  const inside = await applicationInside(context);
  if (!inside.ok) return inside;
  const read = await linesOfPage(inside.value, type, page.after, page.size, { tokens, history });
  if (!read.ok) return read;
  const { text, next } = read.value;
  const path = `${pathOfDocument(CORE.application, id)}/documents/${type}`;
  const more = unpaged === '' ? '' : `&${unpaged}`;
  const following =
    next === null
      ? null
      : `${context.base}${path}?page%5Bafter%5D=${next}&page%5Bsize%5D=${page.size}${more}`;
  return ok({ status: 200, lines: { text, next: following }, confidential: true });
};

/**
 * A page of a type as lines, and what asks for the next one; null after the last. The caller is one inside of the application.
 * `tokens`: with what lets tokens stand elsewhere. `history`: with former versions.
 */
export async function linesOfPage(
  caller: CallContext,
  type: TypeName,
  after: string | null,
  size: number,
  { tokens = false, history = false }: { readonly tokens?: boolean; readonly history?: boolean },
): Promise<Outcome<{ readonly text: string; readonly lines: number; readonly next: string | null }>> {
  const read = await collectionOf(caller, type).exportPage(after, size, {
    living: tokens && isHolderType(type),
    history,
  });
  if (!read.ok) return read;
  const { versions, documents, deletions, next } = read.value;
  const ended = await endedAmong(caller, type, documents);
  let text = versions.map((version) => `${lineOfVersion(type, version)}\n`).join('');
  for (const each of documents) {
    const { acl, document } = each;
    const { read = [] } = acl;
    const deletion = { id: document.id, readers: read === EVERYONE ? [EVERYONE] : read };
    const isOver = ended.has(each.document.id);
    text += `${isOver ? lineOfDeletion(type, deletion) : lineOf(type, each)}\n`;
  }
  for (const deletion of deletions) text += `${lineOfDeletion(type, deletion)}\n`;
  return ok({ text, lines: versions.length + documents.length + deletions.length, next });
}

/** Documents of tokens that have ended: a logout ends the token first, and may be cut off then. */
async function endedAmong(
  caller: CallContext,
  type: TypeName,
  documents: readonly Exported<LazyDocument>[],
): Promise<ReadonlySet<string>> {
  const { tokensOf } = typeInfo(type);
  if (tokensOf === undefined) return new Set();
  return new Set(
    await collectionOf(caller, tokensOf).calls.ended(documents.map(({ document }) => document.id)),
  );
}
