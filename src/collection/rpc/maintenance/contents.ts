/** The bucket of the contents of files: `<application>/<document>` is the key of each. */
import type { ApplicationId, DocumentId } from '../../../domain/ids.ts';
import type { Environment } from '../environment.ts';

/** The environment, as far as it has contents. */
export type WithFiles = Pick<Environment, 'FILES'>;

export function keyOfContent(application: ApplicationId, id: DocumentId): string {
  return `${application}/${id}`;
}

/** Deletes the contents of all files of an application. */
export async function eraseContents({ FILES }: WithFiles, application: ApplicationId): Promise<void> {
  for (let more = FILES !== undefined; more && FILES !== undefined;) {
    const { objects, truncated } = await FILES.list({ prefix: `${application}/` });
    if (objects.length > 0) await FILES.delete(objects.map(({ key }) => key));
    more = truncated;
  }
}
