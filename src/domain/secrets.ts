/** Fields that not everybody sees who sees the document (decisions, sections 4 and 5): one list for all that read. */
import type { Viewer } from './rights.ts';

const PASSWORD: readonly string[] = ['password'];
const NONE: readonly string[] = [];

/** The fields of a type that full text never looks into, and that only the document's own user is shown under ACL. */
export function secretFields(type: string): readonly string[] {
  return type === 'core.user' ? PASSWORD : NONE;
}

/** The fields that a viewer's conditions and orders take for missing. */
export function hiddenFields(type: string, viewer: Viewer): readonly string[] {
  return viewer === null ? NONE : secretFields(type);
}

/** The types of the service itself that a pipeline may read. Their passwords are hidden from all, whoever asks. */
const INPUTS: ReadonlySet<string> = new Set(['core.user', 'core.external-user', 'core.user-group']);

export function isOpenToPipelines(type: string): boolean {
  return INPUTS.has(type);
}

/** The fields that no pipeline sees. */
export function hiddenFromPipelines(type: string): readonly string[] {
  return INPUTS.has(type) ? PASSWORD : NONE;
}
