/**
 * The bucket of the contents of files: `<application>/<document>` is the key of each. Where there are backups, their bucket
 * keeps a deleted content as long as a backup that may have its document.
 */
import type { ApplicationId, DocumentId } from '../../../domain/ids.ts';
import type { Environment } from '../environment.ts';

/** The environment, as far as it has contents. */
export type WithFiles = Pick<Environment, 'BACKUPS' | 'FILES'>;

export function keyOfContent(application: ApplicationId, id: DocumentId): string {
  return `${application}/${id}`;
}

/** What deleted contents of an application have at the beginning of their keys, among the backups. */
export function prefixOfDeleted(application: string): string {
  return `${application}/contents/`;
}

/** Deletes contents, which have had documents. */
export async function deleteContents({ BACKUPS, FILES }: WithFiles, keys: readonly string[]): Promise<void> {
  for (const key of BACKUPS === undefined ? [] : keys) {
    const [application = '', id = ''] = key.split('/');
    const content = (await FILES?.get(key)) ?? null;
    if (content !== null) await BACKUPS?.put(`${prefixOfDeleted(application)}${id}`, content.body);
  }
  await FILES?.delete([...keys]);
}

/** Deletes the contents of all files of an application. */
export async function eraseContents(environment: WithFiles, application: ApplicationId): Promise<void> {
  const { FILES } = environment;
  for (let more = FILES !== undefined; more && FILES !== undefined;) {
    const { objects, truncated } = await FILES.list({ prefix: `${application}/` });
    const keys = objects.map(({ key }) => key);
    if (keys.length > 0) await deleteContents(environment, keys);
    more = truncated;
  }
}
