/** Files: their documents are made with their content, which is read at an address below that of the document. */
import { collectionOf } from '../../collection/rpc/client.ts';
import { keyOfContent } from '../../collection/rpc/maintenance/contents.ts';
import { forbidden } from '../../collection/rpc/refusals.ts';
import type { Document } from '../../domain/documents.ts';
import { fail, failed, gravest, ok, type Outcome } from '../../domain/problems.ts';
import { principalOf, shows, TRUSTED, type Principal } from '../../domain/rules.ts';
import { isParsedObject, memberAt, type Parsed } from '../../domain/values/json.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { answerStored, storeNew } from '../documents/write/creating.ts';
import { readDocument } from '../documents/body/read-body.ts';
import { notWritable } from '../documents/rights/rules.ts';
import type { Handler, RequestContext } from '../endpoint.ts';
import { faultsOfSent } from './kind.ts';
import { mayReadByDocument } from './attached.ts';
import type { File } from './content.ts';
import { UNNAMED } from './names.ts';
import { answerSized } from './pictures.ts';
import { saidIn, sizeOf } from './sizes.ts';
import { giveUp, type StoredFile } from './upload.ts';
import { withBucket } from './with-bucket.ts';

/** Makes the document of a content that was stored. */
export const createFile: Handler = async (context) => {
  const { stored } = context;
  if (stored === undefined) throw new Error('No content was stored.');
  const body = bodyOf(context, stored);
  const created = body.ok ? await storeNew({ ...context, body: body.value }, stored.id) : body;
  if (created.ok) return answerStored(context, created.value);
  await giveUp(context, stored.id);
  return created;
};

/** The document to be made: what came with the content, if the key may write that, and what is said of the content. */
function bodyOf(
  { access: { rule }, parameters: { type } }: RequestContext,
  { digest, document, height, mediaType, name, size, width }: StoredFile,
): Outcome<Parsed> {
  const named = name === null ? {} : { name };
  const sent = document === undefined ? ok(null) : readDocument(document, type, null);
  if (!sent.ok) return sent;
  const { attributes = {}, relationships = {} } = sent.value?.content ?? {};
  const denied = [
    ...notWritable(rule, { attributes: { ...named, ...attributes }, relationships }),
    ...faultsOfSent(attributes),
  ];
  if (denied.length > 0) return failed(...gravest(denied));
  const own = memberAt(document, 'data');
  const said = memberAt(own, 'attributes');
  return ok({
    data: {
      type,
      ...(isParsedObject(own) && own),
      attributes: {
        ...{ name: UNNAMED, ...named, ...(isParsedObject(said) && said) },
        ...{ 'media-type': mediaType, size, 'sha-256': digest },
        ...(width !== undefined && height !== undefined && { width, height }),
        created: { $date: new Date().toISOString() },
      },
    },
  });
}

export const readContent = withBucket(async (context, bucket) => {
  const file = await readFile(context, context.access);
  if (!file.ok) return file;
  const { application, content, parameters, query } = context;
  if (content === undefined) throw new Error('The request asks for no content.');
  const size = await sizeOf(context, file.value, saidIn(query.single), (parameter, detail) =>
    fail('invalid-parameter', detail, { parameter }),
  );
  if (!size.ok) return size;
  const place = {
    bucket,
    key: keyOfContent(application, parameters.id),
    download: query.single.has('download'),
    remembered: true,
  } as const;
  const answer = await answerSized(context, place, { ...file.value, shownIn: size.value }, content);
  if (!answer.ok) return answer;
  if (answer.value !== null) return ok(answer.value);
  return fail('data-lost', 'The content of the file is not in the bucket.');
});

/** The file, for whoever may read its document. */
export async function readFile(context: RequestContext, principal: Principal): Promise<Outcome<File>> {
  const { type, id } = context.parameters;
  const access = principalOf(principal);
  const collection = collectionOf(context, type);
  const read = await collection.read(id, access);
  const isAttached = read.state === 'forbidden' && (await mayReadByDocument(context, id, access));
  if (read.state === 'forbidden' && !isAttached) return forbidden('read', access);
  // A rule may hide what the headers need, and what the content itself shows.
  const isPart = isAttached || (read.state === 'found' && access.rule?.read);
  const whole = isPart ? await collection.read(id, TRUSTED) : read;
  if (whole.state !== 'found')
    return fail('document-not-found', `There is no document ${id} of type ${type}.`);
  return fileOf(whole.document, shows(access.rule, 'name'));
}

/** What a document says of its content. */
export function fileOf({ attributes }: Document, isNameShown: boolean): Outcome<File> {
  const names = ['name', 'media-type', 'size', 'sha-256', 'created', 'width', 'height'];
  const [name, mediaType, size, digest, created, width, height] = names.map((each) =>
    memberOf(attributes, each),
  );
  const isWhole = typeof mediaType === 'string' && typeof size === 'number' && typeof digest === 'string';
  if (!isWhole || !(created instanceof Date)) {
    return fail('data-lost', 'The document does not say what its content is.');
  }
  const shown = isNameShown && typeof name === 'string' ? name : undefined;
  const pixels = typeof width === 'number' && typeof height === 'number' ? width * height : undefined;
  return ok({ name: shown, mediaType, size, digest, created: created.getTime(), pixels });
}
