/**
 * Links that carry their right: whoever has one reads the content, without a key, until it ends. What it says is
 * sealed, so nothing is stored, and only the bucket is asked.
 */
import { standingOfApplication } from '../../auth/applications.ts';
import { signerOf } from '../../auth/credentials.ts';
import type { Bounds } from '../../auth/sealed.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import type { CallContext } from '../../collection/rpc/call-context.ts';
import type { Environment } from '../../collection/rpc/environment.ts';
import { keyOfContent } from '../../collection/rpc/maintenance/contents.ts';
import type { Document } from '../../domain/documents.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import { isApplicationId, storedId, type ApplicationId, type DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { EVERYONE } from '../../domain/rights.ts';
import { shows } from '../../domain/rules.ts';
import { parseDate } from '../../domain/values/dates.ts';
import { isParsedObject, memberAt, type Parsed } from '../../domain/values/json.ts';
import type { Answer, ContentRequest, Handler, RequestContext } from '../endpoint.ts';
import { SIZE_MEMBERS } from '../contents/parameters.ts';
import { listDocuments } from '../documents/handlers.ts';
import { readerOf } from './attached.ts';
import type { File } from './content.ts';
import { fileOf, readFile } from './handlers.ts';
import { answerSized, type Sized } from './pictures.ts';
import { faultOf, saidIn, sizeOf } from './sizes.ts';
import { bucketOf } from './upload.ts';
import { withBucket } from './with-bucket.ts';

/** Where contents are read by their links. */
export const LINKED_PATH = '/content';

/** What a link says. */
interface Linked extends Sized {
  readonly id: string;
  /** Milliseconds since 1970; null as long as everybody may read the file. */
  readonly until: number | null;
  readonly download: boolean;
}

const boundsOf = (application: ApplicationId): Bounds => ({ purpose: 'file', application, about: [] });

/** Makes a link for who may read the content at its own address. */
export const makeLink = withBucket(async (context) => {
  const { body, parameters } = context;
  const request = readRequest(body);
  if (!request.ok) return request;
  const reading = readerOf(context, parameters.id);
  if (reading === null) {
    return fail('forbidden', 'The API key does not permit the content to be read.', { header: 'api-key' });
  }
  const file = await readFile(context, reading);
  if (!file.ok) return file;
  const { said, ...until } = request.value;
  const isPublic = async () => reading.viewer === null && (await mayEverybodyRead(context, parameters.id));
  if (until.until === null && !(await isPublic())) {
    const detail = 'A key without ACL makes public links, to files that everybody may read ("read": "*").';
    return fail('forbidden', detail, { pointer: '/meta/public' });
  }
  const size = await sizeOf(context, file.value, said, (member, detail) =>
    fail('invalid-body', detail, { pointer: `/meta/${member}` }),
  );
  if (!size.ok) return size;
  const href = await addressOf(context, file.value, parameters.id, { ...until, shownIn: size.value });
  return ok({
    status: 200,
    document: { meta: { href, ...(until.until !== null && { until: new Date(until.until).toISOString() }) } },
    confidential: true,
  });
});

/** What is asked of a link. */
type Wanted = Pick<Linked, 'until' | 'download' | 'shownIn'>;

async function addressOf(
  { application, base, environment }: RequestContext,
  file: File,
  id: DocumentId,
  { shownIn, until, download }: Wanted,
): Promise<string> {
  const { sealer } = await signerOf(environment);
  const linked: Linked = { ...file, shownIn, id, until, download };
  return `${base}${LINKED_PATH}/${application}/${await sealer.seal(boundsOf(application), JSON.stringify(linked))}`;
}

/** Lists files; with `until`, each with a link to its content, so that no picture of a page is asked for by itself. */
export const listFiles: Handler = (context) =>
  OF_LINKS.some((name) => context.query.single.has(name)) ? listLinked(context) : listDocuments(context);

const listLinked = withBucket(async (context) => {
  const { query } = context;
  const until = untilIn(query.single.get('until'));
  if (until === null)
    return fail('invalid-parameter', `The parameter until is ${DATE}.`, { parameter: 'until' });
  const size = await sizeOf(context, null, saidIn(query.single), (parameter, detail) =>
    fail('invalid-parameter', detail, { parameter }),
  );
  if (!size.ok) return size;
  const { value: shownIn } = size;
  const wanted = { until, download: query.single.has('download'), shownIn };
  return listDocuments({ ...context, tells: (documents) => linksOf(context, documents, wanted) });
});

const OF_LINKS = ['until', 'download', ...SIZE_MEMBERS] as const;

/** Of those whose links the key may make, and may read as it may list them; only pictures if a size is asked for. */
async function linksOf(context: RequestContext, documents: readonly Document[], wanted: Wanted) {
  const { access } = context;
  const links = documents.map(async (document) => {
    const reading = readerOf(context, document.id);
    const mayLink = access.admissionOf('post', `${pathOfDocument(CORE.file, document.id)}/links`).admitted;
    if (reading === null || !mayLink) return [];
    const isSame = reading.rule === null || reading.rule === access.rule;
    if (!isSame || (reading.viewer !== null && access.viewer === null)) return [];
    const file = fileOf(document, shows(reading.rule, 'name'));
    if (!file.ok || (wanted.shownIn !== null && faultOf(file.value) !== null)) return [];
    return [[document.id, { href: await addressOf(context, file.value, document.id, wanted) }] as const];
  });
  return new Map((await Promise.all(links)).flat());
}

/** The end of a link, in milliseconds since 1970; null for none that a link may have. */
function untilIn(sent: Parsed | undefined): number | null {
  const until = typeof sent === 'string' ? parseDate(sent)?.getTime() : undefined;
  const now = Date.now();
  return until !== undefined && until > now && until <= now + LIMITS.linkLifetime ? until : null;
}

const DATE = 'a date of the next seven days, such as "2026-12-01T00:00:00Z"';

function readRequest(body: Parsed) {
  const meta = memberAt(body, 'meta');
  const [sent, open] = ['until', 'public'].map((name) => memberAt(meta, name));
  const isPublic = open === true && sent === undefined;
  const until = open === undefined ? untilIn(sent) : null;
  if (until === null && !isPublic) {
    const detail = `The member until is ${DATE}, or in its place the member public is true.`;
    return fail('invalid-body', detail, { pointer: '/meta/until' });
  }
  const download = memberAt(meta, 'download') ?? false;
  if (typeof download === 'boolean') return ok({ until, download, said: isParsedObject(meta) ? meta : {} });
  return fail('invalid-body', 'The member download is true or false.', { pointer: '/meta/download' });
}

/** Whether a file may be read by every user, whoever that is. */
async function mayEverybodyRead(caller: CallContext, id: DocumentId): Promise<boolean> {
  return (
    (await collectionOf(caller, CORE.file).read(id, { viewer: [EVERYONE], rule: null })).state === 'found'
  );
}

/** A link that has not ended: what it says, and of which application. */
export interface OpenLink {
  readonly application: ApplicationId;
  readonly linked: Linked;
}

/** The link of an address; null where it has ended, or is none. */
export async function openLink(
  environment: Environment,
  application: string,
  sealed: string,
): Promise<OpenLink | null> {
  if (!isApplicationId(application)) return null;
  const { sealer } = await signerOf(environment);
  const text = await sealer.open(boundsOf(application), sealed);
  if (text === undefined) return null;
  // Only what was written above has the seal.
  const linked = JSON.parse(text) as Linked;
  return linked.until === null || linked.until > Date.now() ? { application, linked } : null;
}

/** The content that a link leads to. What is wrong with a link, nobody learns. */
export async function readLinked(
  environment: Environment,
  link: OpenLink | null,
  request: ContentRequest,
): Promise<Outcome<Answer>> {
  const bucket = bucketOf({ environment });
  if (!bucket.ok) return bucket;
  if (link !== null && (await leads(environment, link))) {
    const { application, linked } = link;
    const { download, until } = linked;
    const fresh = until === null ? LIMITS.linkLifetime : until - Date.now();
    const caching = `${until === null ? 'public' : 'private'}, max-age=${Math.floor(fresh / 1000)}, immutable`;
    const place = {
      bucket: bucket.value,
      key: keyOfContent(application, storedId(linked.id)),
      download,
      caching,
    };
    const answer = await answerSized({ environment }, place, linked, request);
    if (!answer.ok) return answer;
    if (answer.value !== null) return ok(answer.value);
  }
  return fail('not-found', 'The link leads to nothing, or has ended.');
}

async function leads(
  environment: Environment,
  { application, linked: { id, until } }: OpenLink,
): Promise<boolean> {
  const { ends } = await standingOfApplication(environment, application);
  return ends === null && (until !== null || mayEverybodyRead({ environment, application }, storedId(id)));
}
