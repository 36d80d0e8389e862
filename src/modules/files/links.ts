/**
 * Links that carry their right: whoever has one reads the content, without a key, until it ends. What it says is sealed, so
 * nothing is stored, and nothing but the bucket is asked.
 */
import { standingOfApplication } from '../../auth/applications.ts';
import { signerOf } from '../../auth/credentials.ts';
import type { Bounds } from '../../auth/sealed.ts';
import type { Environment } from '../../collection/rpc/environment.ts';
import { keyOfContent } from '../../collection/rpc/maintenance/contents.ts';
import { isApplicationId, storedId, type ApplicationId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { parseDate, textOfDate } from '../../domain/values/dates.ts';
import { isParsedObject, type Parsed } from '../../domain/values/json.ts';
import { memberOf } from '../../domain/values/tree.ts';
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
  /** Milliseconds since 1970. */
  readonly until: number;
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
    document: { meta: { href, until: textOfDate(linked.until) } },
    confidential: true,
  });
};

function readAsked(body: Parsed): Outcome<Pick<Linked, 'until' | 'download'> & { readonly said: Said }> {
  const meta = isParsedObject(body) ? memberOf(body, 'meta') : undefined;
  const sent = isParsedObject(meta) ? memberOf(meta, 'until') : undefined;
  const until = typeof sent === 'string' ? parseDate(sent)?.getTime() : undefined;
  const now = Date.now();
  if (until === undefined || until <= now || until > now + LIMITS.linkLifetime) {
    const detail = 'The member until is a date of the next seven days, such as "2026-12-01T00:00:00Z".';
    return fail('invalid-body', detail, { pointer: '/meta/until' });
  }
  const download = isParsedObject(meta) ? (memberOf(meta, 'download') ?? false) : false;
  if (typeof download === 'boolean') return ok({ until, download, said: isParsedObject(meta) ? meta : {} });
  return fail('invalid-body', 'The member download is true or false.', { pointer: '/meta/download' });
}

/** The content that a link leads to. What is wrong with a link, nobody learns. */
export async function readLinked(
  environment: Environment,
  { application, sealed }: { readonly application: string; readonly sealed: string },
  asked: ContentRequest,
): Promise<Outcome<Answer>> {
  const bucket = bucketOf({ environment });
  if (!bucket.ok) return bucket;
  const opened = isApplicationId(application) ? await open(environment, application, sealed) : null;
  const now = Date.now();
  if (opened !== null && opened.linked.until > now) {
    const { key, linked } = opened;
    const fresh = Math.floor((linked.until - now) / 1000);
    const place = { bucket: bucket.value, key, fresh, download: linked.download };
    const answer = await answerSized({ environment }, place, linked, asked);
    if (!answer.ok) return answer;
    if (answer.value !== null) return ok(answer.value);
  }
  return fail('not-found', 'The link leads to nothing, or has ended.');
}

async function open(environment: Environment, application: ApplicationId, sealed: string) {
  const { sealer } = await signerOf(environment);
  const text = await sealer.open(boundsOf(application), sealed);
  if (text === undefined) return null;
  const { ends } = await standingOfApplication(environment, application);
  if (ends !== null) return null;
  // Only what was written above has the seal.
  const linked = JSON.parse(text) as Linked;
  return { linked, key: keyOfContent(application, storedId(linked.id)) };
}
