/** `GET …/documents/{type}` of an application: one page of an export of the type, as lines of JSON. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { Asker } from '../../../collection/rpc/client-reads.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { CORE, type TypeName } from '../../../domain/types.ts';
import type { Handler } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { applicationInside } from './inside.ts';
import { lineOf, lineOfDeletion } from './write-line.ts';

export const exportDocuments: Handler = async (context) => {
  const { type, id } = context.parameters;
  const { page } = context.query;
  if (page.style !== 'cursor') {
    const detail = 'An export is read with page[after], empty for the first page, and page[size].';
    return fail('invalid-parameter', detail, { parameter: 'page[after]' });
  }
  const inside = await applicationInside(context);
  if (!inside.ok) return inside;
  const read = await linesOfPage(inside.value, type, page.after, page.size);
  if (!read.ok) return read;
  const { text, next } = read.value;
  const path = `${pathOfDocument(CORE.application, id)}/documents/${type}`;
  const following =
    next === null ? null : `${context.base}${path}?page%5Bafter%5D=${next}&page%5Bsize%5D=${page.size}`;
  return ok({ status: 200, lines: { text, next: following }, confidential: true });
};

/** A page of a type as lines, and what asks for the next one; null after the last. The asker is one inside of the application. */
export async function linesOfPage(
  asker: Asker,
  type: TypeName,
  after: string | null,
  size: number,
): Promise<Outcome<{ readonly text: string; readonly lines: number; readonly next: string | null }>> {
  const read = await collectionOf(asker, type).exportPage(after, size);
  if (!read.ok) return read;
  const { documents, deletions, next } = read.value;
  const kind = kindOfType(type);
  let text = '';
  for (const each of documents) text += `${lineOf(type, kind, each)}\n`;
  for (const deletion of deletions) text += `${lineOfDeletion(type, deletion)}\n`;
  return ok({ text, lines: documents.length + deletions.length, next });
}
