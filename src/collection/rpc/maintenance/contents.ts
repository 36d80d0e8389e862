/**
 * The bucket of files' contents: the key of each is `<application>/<document>`. If there are backups, their bucket
 * keeps a deleted content as long as a backup that may have its document.
 */
import type { ApplicationId, DocumentId } from '../../../domain/ids.ts';
import type { Environment } from '../environment.ts';

export type WithFiles = Pick<Environment, 'BACKUPS' | 'FILES'>;

export function keyOfContent(application: ApplicationId, id: DocumentId): string {
  return `${application}/${id}`;
}

/** What pictures that were made of a content have at the beginning of their keys; of all contents of an application. */
export function prefixOfPictures(keyOrApplication: string): string {
  return `pictures/${keyOrApplication}/`;
}

/** What deleted contents of an application have at the beginning of their keys, among the backups. */
export function prefixOfDeleted(application: string): string {
  return `${application}/contents/`;
}

export async function deleteContents({ BACKUPS, FILES }: WithFiles, keys: readonly string[]): Promise<void> {
  for (const key of BACKUPS === undefined ? [] : keys) {
    const [application = '', id = ''] = key.split('/');
    const content = (await FILES?.get(key)) ?? null;
    if (content !== null) await BACKUPS?.put(`${prefixOfDeleted(application)}${id}`, content.body);
  }
  await FILES?.delete([...keys]);
}

/** Deletes the pictures that were made of some contents. */
export async function deletePictures(bucket: R2Bucket, of: readonly string[]): Promise<void> {
  for (const each of of) await deleteUnder(bucket, prefixOfPictures(each), (keys) => bucket.delete(keys));
}

async function deleteUnder(
  bucket: R2Bucket,
  prefix: string,
  deleteAll: (keys: string[]) => Promise<void>,
): Promise<void> {
  for (let more = true; more;) {
    const { objects, truncated } = await bucket.list({ prefix });
    if (objects.length > 0) await deleteAll(objects.map(({ key }) => key));
    more = truncated;
  }
}

export async function eraseContents(environment: WithFiles, application: ApplicationId): Promise<void> {
  const { FILES } = environment;
  if (FILES === undefined) return;
  await deleteUnder(FILES, `${application}/`, (keys) => deleteContents(environment, keys));
  await deletePictures(FILES, [application]);
}
