/** Files: their documents are made with their content, which is read at an address below that of the document. */
import { collectionOf } from '../../collection/rpc/client.ts';
import { keyOfContent } from '../../collection/rpc/maintenance/contents.ts';
import { forbidden } from '../../collection/rpc/refusals.ts';
import type { Document } from '../../domain/documents.ts';
import { fail, failed, gravest, ok, type Outcome } from '../../domain/problems.ts';
import { shows, TRUSTED } from '../../domain/rules.ts';
import { isParsedObject, type Parsed } from '../../domain/values/json.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { answerStored, storeNew } from '../documents/creating.ts';
import { readDocument } from '../documents/body/read-body.ts';
import { notWritable } from '../documents/rules.ts';
import type { ContentRequest, Handler, RequestContext } from '../endpoint.ts';
import { faultsOfSent } from './kind.ts';
import { dispositionOf, UNNAMED } from './names.ts';
import { rangeIn } from './ranges.ts';
import { bucketOf, giveUp, type StoredFile } from './upload.ts';

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
  { digest, document, mediaType, name, size }: StoredFile,
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
  const data = isParsedObject(document) ? memberOf(document, 'data') : {};
  const own = isParsedObject(data) ? data : {};
  const said = memberOf(own, 'attributes') ?? {};
  return ok({
    data: {
      type,
      ...own,
      attributes: {
        ...{ name: UNNAMED, ...named, ...(isParsedObject(said) && said) },
        ...{ 'media-type': mediaType, size, 'sha-256': digest },
        created: { $date: new Date().toISOString() },
      },
    },
  });
}

/** Nothing runs in a content, whatever it is. */
const HARMLESS = "default-src 'none'; sandbox; frame-ancestors 'none'";

export const readContent: Handler = async (context) => {
  const bucket = bucketOf(context);
  if (!bucket.ok) return bucket;
  const file = await readFile(context);
  if (!file.ok) return file;
  const asked = context.content;
  if (asked === undefined) throw new Error('The request asks for no content.');
  const { mediaType, name, size, tag, modified } = file.value;
  const headers = { ETag: tag, 'Last-Modified': modified };
  if (isCurrent(asked, file.value)) return ok({ status: 304, content: { mediaType, body: null, headers } });
  const asksRange =
    asked.range !== null && (asked.ifRange === null || [tag, modified].includes(asked.ifRange));
  const range = asksRange ? rangeIn(asked.range, size) : null;
  if (range === 'none') {
    const detail = `The content has ${size} bytes.`;
    return fail('range-not-satisfiable', detail, { header: 'Range' }, { size });
  }
  const { offset, length } = range ?? { offset: 0, length: size };
  const key = keyOfContent(context.application, context.parameters.id);
  const found = asked.isHead
    ? await bucket.value.head(key)
    : await bucket.value.get(key, range === null ? {} : { range: { offset, length } });
  if (found === null) return fail('data-lost', 'The content of the file is not in the bucket.');
  return ok({
    status: range === null ? 200 : 206,
    content: {
      mediaType,
      body: 'body' in found && found.body instanceof ReadableStream ? found.body : null,
      headers: {
        ...headers,
        'Accept-Ranges': 'bytes',
        'Content-Disposition': dispositionOf(name, mediaType, context.query.download),
        'Content-Length': String(length),
        'Content-Security-Policy': HARMLESS,
        ...(range !== null && { 'Content-Range': `bytes ${offset}-${offset + length - 1}/${size}` }),
      },
    },
  });
};

/** What an answer with a content says of it. */
interface File {
  /** Absent where the rule of the key does not show it. */
  readonly name: string | undefined;
  readonly mediaType: string;
  readonly size: number;
  readonly tag: string;
  readonly modified: string;
}

/** The file, for whoever may read its document. */
async function readFile({ access, parameters, ...asker }: RequestContext): Promise<Outcome<File>> {
  const { type, id } = parameters;
  const collection = collectionOf(asker, type);
  const read = await collection.read(id, access);
  if (read.state === 'forbidden') return forbidden('read', access);
  // A rule may hide what the headers need, and what the content itself shows.
  const whole = read.state === 'found' && access.rule?.read ? await collection.read(id, TRUSTED) : read;
  if (whole.state !== 'found')
    return fail('document-not-found', `There is no document ${id} of type ${type}.`);
  return fileOf(whole.document, shows(access.rule, 'name'));
}

function fileOf({ attributes }: Document, isNameShown: boolean): Outcome<File> {
  const [name, mediaType, size, digest, created] = ['name', 'media-type', 'size', 'sha-256', 'created'].map(
    (each) => memberOf(attributes, each),
  );
  const isWhole = typeof mediaType === 'string' && typeof size === 'number' && typeof digest === 'string';
  if (!isWhole || !(created instanceof Date)) {
    return fail('data-lost', 'The document does not say what its content is.');
  }
  const modified = created.toUTCString();
  const shown = isNameShown && typeof name === 'string' ? name : undefined;
  return ok({ name: shown, mediaType, size, tag: `"${digest}"`, modified });
}

/** Whether a client has the content already (RFC 9110, section 13.2.2). */
function isCurrent({ ifNoneMatch, ifModifiedSince }: ContentRequest, { tag, modified }: File): boolean {
  if (ifNoneMatch === null)
    return ifModifiedSince !== null && Date.parse(ifModifiedSince) >= Date.parse(modified);
  return ifNoneMatch.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, '')));
}
