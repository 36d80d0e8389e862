/** Files of documents (docs/files.md): which types have them, by the settings of these, and who links to a file. */
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { readTypeSettings } from '../../../domain/types/settings.ts';
import { CORE, storedType, type TypeName } from '../../../domain/types.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { Condition } from '../../../operators/filter/conditions.ts';
import { linksTo } from '../../../operators/filter/through.ts';
import type { Asker } from '../client-reads.ts';
import { everyOf } from './erasing.ts';

/** A type whose documents have files, and the relationships that lead to these. */
export interface Attaching {
  readonly type: TypeName;
  readonly names: readonly string[];
}

/** The types of the asker's application that have files; of many, some. */
export async function attachingTypes(asker: Asker): Promise<readonly Attaching[]> {
  const found: Attaching[] = [];
  const withFiles: Condition = { op: 'exists', path: ['files'], exists: true };
  for await (const { attributes } of everyOf(asker, CORE.typeSettings, withFiles)) {
    const name = memberOf(attributes, 'name');
    const { files } = readTypeSettings(attributes, () => undefined);
    if (typeof name === 'string' && files.length > 0) found.push({ type: storedType(name), names: files });
    if (found.length === LIMITS.linkedTypes) break;
  }
  return found;
}

/** The condition that a document has a file. */
export function hasFile({ names }: Attaching, id: DocumentId): Condition {
  return { op: 'or', conditions: names.map((name) => linksTo(name, CORE.file, [id])) };
}
