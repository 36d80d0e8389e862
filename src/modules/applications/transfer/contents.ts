/** Contents of files for the operator: exports read them, imports and restores bring them to the documents there. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CallContext } from '../../../collection/rpc/call-context.ts';
import { keyOfContent, prefixOfDeleted } from '../../../collection/rpc/maintenance/contents.ts';
import type { LazyDocument } from '../../../collection/rpc/packing/documents.ts';
import { applicationId, isApplicationId, readId, type ApplicationId } from '../../../domain/ids.ts';
import { fail, ok } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE } from '../../../domain/types.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import { isParsedObject, memberAt, type Parsed } from '../../../domain/values/json.ts';
import { EVERYTHING } from '../../../operators/filter/conditions.ts';
import type { Endpoint, Handler } from '../../endpoint.ts';
import { answerContent } from '../../files/content.ts';
import { fileOf } from '../../files/handlers.ts';
import { wholeSink } from '../../files/sinks.ts';
import { bucketOf, noAnswer, putContent } from '../../files/upload.ts';
import { withBucket } from '../../files/with-bucket.ts';
import { applicationInside, within } from './types.ts';

/** Documents that are looked at together, and milliseconds after which whoever asks has to ask again. */
const LOOKED = 50;
const ENOUGH = 10_000;

/** The file of a path of an application. */
async function fileIn(caller: CallContext, name: string) {
  const id = readId(name);
  const read = id === undefined ? null : await collectionOf(caller, CORE.file).read(id, TRUSTED);
  if (id === undefined || read?.state !== 'found') {
    return fail('document-not-found', `There is no file ${name} in the application.`);
  }
  const file = fileOf(read.document, true);
  return file.ok ? ok({ id, file: file.value, key: keyOfContent(caller.application, id) }) : file;
}

export const readOneContent = withBucket(async (context, bucket) => {
  const inside = await applicationInside(context);
  if (!inside.ok) return inside;
  const found = await fileIn(inside.value, context.parameters.name);
  if (!found.ok) return found;
  if (context.content === undefined) throw new Error('The request asks for no content.');
  const { file, key } = found.value;
  const answer = await answerContent({ bucket, key, download: true }, file, context.content);
  if (!answer.ok) return answer;
  return answer.value === null
    ? fail('not-found', 'The content of the file is not there.')
    : ok(answer.value);
});

/** Stores the content of a document that is there, unless the bucket has it. */
export const storesOneContent: Exclude<Endpoint['stores'], undefined> =
  ({ id: application, name }) =>
  async (uploader, sent) => {
    const bucket = bucketOf(uploader);
    if (!bucket.ok) return bucket;
    const caller = { ...uploader, application: applicationId(application) };
    const found = await fileIn(caller, name);
    if (!found.ok) return found;
    const { file, id, key } = found.value;
    const stored = { ...file, id, name: null };
    if (sent.size !== file.size) {
      return fail('digest-differs', `The content of the file has ${file.size} bytes.`);
    }
    if ((await bucket.value.head(key)) !== null) {
      while ((await sent.source()) instanceof Uint8Array);
      return ok(stored);
    }
    // What the bucket does not take leaves what it may have taken of another request meanwhile.
    const whole = wholeSink(bucket.value, key, file.size, file.digest);
    const sink = { ...whole, close: async () => whole.close?.().catch(() => undefined) };
    const put = await putContent({ ...sent, digest: file.digest }, [sink]);
    if (!put.ok) return put;
    if ((await bucket.value.head(key)) === null) return noAnswer();
    // Its document may have gone meanwhile.
    if (!(await fileIn(caller, name)).ok) await bucket.value.delete(key);
    return ok(stored);
  };

export const contentStored: Handler = () => Promise.resolve(ok({ status: 204 }));

/** Brings back the contents of files whose documents were restored, from what backups have kept. */
export const restoreContents = within(async (inside) => {
  const request = readRequest(inside.body, inside.application);
  if (!request.ok) return request;
  const { from } = request.value;
  let { offset } = request.value;
  const meta = { restored: 0, missing: 0 };
  for (const until = Date.now() + ENOUGH; Date.now() < until;) {
    const page = { offset, limit: LOOKED, counted: false };
    const all = { condition: encodeText(EVERYTHING), sort: [], page, ...TRUSTED, hidden: [] };
    const listed = await collectionOf(inside, CORE.file).list(all, (found) => Promise.resolve(ok(found)));
    if (!listed.ok) return listed;
    for (const each of listed.value.documents) {
      const came = await bringBack(inside, each, from);
      if (came !== null) meta[came] += 1;
    }
    offset += listed.value.documents.length;
    if (!listed.value.more) return ok({ status: 200, document: { meta: { ...meta, offset, more: false } } });
  }
  return ok({ status: 200, document: { meta: { ...meta, offset, more: true } } });
});

function readRequest(body: Parsed, own: ApplicationId) {
  const meta = memberAt(body, 'meta');
  const from = memberAt(meta, 'from') ?? own;
  const offset = memberAt(meta, 'offset') ?? 0;
  if (!isParsedObject(meta) || typeof from !== 'string' || !isApplicationId(from)) {
    return fail('invalid-body', 'The member from is the id of an application.', { pointer: '/meta/from' });
  }
  if (typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0) return ok({ from, offset });
  return fail('invalid-body', 'The member offset is a number of files.', { pointer: '/meta/offset' });
}

/** Null where the content is there. */
async function bringBack(
  { application, environment }: CallContext,
  document: LazyDocument,
  from: ApplicationId,
): Promise<'restored' | 'missing' | null> {
  const { BACKUPS, FILES } = environment;
  const key = keyOfContent(application, document.id);
  if (FILES === undefined || (await FILES.head(key)) !== null) return null;
  const stored =
    (await BACKUPS?.get(`${prefixOfDeleted(from)}${document.id}`)) ??
    (await FILES.get(keyOfContent(from, document.id)));
  const file = fileOf(document, true);
  if (stored === null || !file.ok) return 'missing';
  // The bucket refuses another digest.
  return FILES.put(key, stored.body, { sha256: file.value.digest }).then(
    () => 'restored',
    () => 'missing',
  );
}
