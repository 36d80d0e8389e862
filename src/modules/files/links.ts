/**
 * Links that carry their right: whoever has one reads the content, without a key, until it ends. What it says is sealed, so
 * nothing is stored, and nothing but the bucket is asked.
 */
import { standingOfApplication } from '../../auth/applications.ts';
import { signerOf } from '../../auth/credentials.ts';
import type { Bounds } from '../../auth/sealed.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Asker } from '../../collection/rpc/client-reads.ts';
import type { Environment } from '../../collection/rpc/environment.ts';
import { keyOfContent } from '../../collection/rpc/maintenance/contents.ts';
import { isApplicationId, storedId, type ApplicationId, type DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { EVERYONE } from '../../domain/rights.ts';
import { parseDate, textOfDate } from '../../domain/values/dates.ts';
import { isParsedObject, memberAt, type Parsed } from '../../domain/values/json.ts';
import type { Answer, ContentRequest, Handler } from '../endpoint.ts';
import { readFile } from './handlers.ts';
import { answerSized, type Sized } from './pictures.ts';
import { sizeOf, type Said } from './sizes.ts';
import { bucketOf } from './upload.ts';

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
export const makeLink: Handler = async (context) => {
  const { access, application, base, body, environment, parameters, path } = context;
  const bucket = bucketOf(context);
  if (!bucket.ok) return bucket;
  const asked = readAsked(body);
  if (!asked.ok) return asked;
  const reading = access.viewerOf(path.replace(/links$/, 'content'));
  if (reading === null || reading === 'exhausted') {
    return fail('forbidden', 'The API key does not permit the content to be read.', { header: 'api-key' });
  }
  const file = await readFile(context, reading);
  if (!file.ok) return file;
  const { said, ...until } = asked.value;
  const isPublic = async () => reading.viewer === null && (await mayEverybodyRead(context, parameters.id));
  if (until.until === null && !(await isPublic())) {
    const detail = 'A key without ACL makes public links, to files that everybody may read ("read": "*").';
    return fail('forbidden', detail, { pointer: '/meta/public' });
  }
  const size = await sizeOf(context, file.value, said, (member, detail) =>
    fail('invalid-body', detail, { pointer: `/meta/${member}` }),
  );
  if (!size.ok) return size;
  const { sealer } = await signerOf(environment);
  const linked: Linked = { ...file.value, shownIn: size.value, id: parameters.id, ...until };
  const sealed = await sealer.seal(boundsOf(application), JSON.stringify(linked));
  const href = `${base}${LINKED_PATH}/${application}/${sealed}`;
  return ok({
    status: 200,
    document: { meta: { href, ...(linked.until !== null && { until: textOfDate(linked.until) }) } },
    confidential: true,
  });
};

function readAsked(body: Parsed): Outcome<Pick<Linked, 'until' | 'download'> & { readonly said: Said }> {
  const meta = memberAt(body, 'meta');
  const [sent, open] = ['until', 'public'].map((name) => memberAt(meta, name));
  const date = open === undefined && typeof sent === 'string' ? parseDate(sent)?.getTime() : undefined;
  const until = open === true && sent === undefined ? null : date;
  const now = Date.now();
  if (until === undefined || (until !== null && (until <= now || until > now + LIMITS.linkLifetime))) {
    const form = 'a date of the next seven days, such as "2026-12-01T00:00:00Z"';
    const detail = `The member until is ${form}, or in its place the member public is true.`;
    return fail('invalid-body', detail, { pointer: '/meta/until' });
  }
  const download = memberAt(meta, 'download') ?? false;
  if (typeof download === 'boolean') return ok({ until, download, said: isParsedObject(meta) ? meta : {} });
  return fail('invalid-body', 'The member download is true or false.', { pointer: '/meta/download' });
}

/** Whether a file may be read by every user, whoever that is. */
async function mayEverybodyRead(asker: Asker, id: DocumentId): Promise<boolean> {
  return (
    (await collectionOf(asker, CORE.file).read(id, { viewer: [EVERYONE], rule: null })).state === 'found'
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
  asked: ContentRequest,
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
    const answer = await answerSized({ environment }, place, linked, asked);
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
