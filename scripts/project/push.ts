/**
 * Makes an application as a project declares. The service has no transaction over these documents: each change holds
 * only where nobody has changed the document since it was read, and if one fails, those before it are taken back.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pathOf, requestKey } from '../../src/client/paths.ts';
import type { Answer, RequestOptions, Resource } from '../../src/client/transport.ts';
import { CORE } from '../../src/domain/types.ts';
import { explain, Failure } from '../failure.ts';
import type { Json } from '../json-objects.ts';
import { sentFor, type Change } from './changes.ts';
import { faultIn } from './check.ts';
import { faultText } from './files.ts';
import { withGroups } from './groups.ts';
import { factsOf, labelOf, type Part } from './parts.ts';
import { Refusal, type Remote } from './target.ts';

/** Takes a change back, if nobody has changed the document since. */
type Undo = () => Promise<unknown>;

/** Milliseconds for which a push waits for a server that has gone, in all and each time: a restart takes less. */
const PATIENCE = 30_000;
const PAUSE = 500;

interface PushOptions {
  /** The application is new, and nobody else knows it: no answer is lost, and nothing is taken for something else. */
  readonly isAlone?: boolean;
  readonly patience?: number;
  /** Ends it early: what is done by then is taken back. */
  readonly stop?: AbortSignal | undefined;
}

export async function push(
  remote: Remote,
  changes: readonly Change[],
  { isAlone = false, patience = PATIENCE, stop }: PushOptions = {},
): Promise<void> {
  const request = untilAnswered(remote, patience, stop);
  const done: { readonly change: Change; readonly undo: Undo }[] = [];
  const order = changes.toSorted((a, b) => Number(takesSecret(a)) - Number(takesSecret(b)));
  let doing: Change | null = null;
  try {
    for (const change of order) {
      doing = null;
      if (stop?.aborted === true) throw new Failure('Stopped.');
      doing = change;
      await apply(remote, request, change, isAlone, (undo) => done.push({ change, undo }));
    }
    doing = null;
    if (!isAlone) await refuseTwins(remote, changes);
  } catch (error) {
    const reason = doing === null ? explain(error) : whyNot(doing, error);
    const doubtful = doing !== null && isLost(error) ? [`  perhaps the ${labelOf(doing.part)}`] : [];
    throw new Failure(`${reason}\n${await takeBack(done, doubtful)}`, { cause: error });
  }
}

/** The service takes several keys of a name, and schemas of a type: of two pushes at once, each would make its own. */
async function refuseTwins(remote: Remote, changes: readonly Change[]): Promise<void> {
  const made = changes.flatMap(({ action, part }) => (action === 'create' ? part : []));
  const stored = made.length === 0 ? [] : await remote.stored([...new Set(made.map(({ type }) => type))]);
  for (const { type, name } of made) {
    const isTwin = (each: Part) => each.type === type && each.name === name;
    const last = made.findLast(isTwin);
    if (last !== undefined && stored.filter(isTwin).length > last.index + 1)
      throw new Failure(`Somebody else pushes as well: there is another ${labelOf(last)}.`);
  }
}

/** A deletion that cannot be taken back is done last: another document would have another secret. */
function takesSecret({ action, part }: Change): boolean {
  return action === 'delete' && factsOf(part.type).made !== undefined;
}

const isLost = (error: unknown) => error instanceof Refusal && error.error.status === 0;

/** Sends a request again while nobody answers. What a lost answer had done is not as it was: then it looks. */
function untilAnswered({ request }: Remote, patience: number, stop?: AbortSignal): Remote['request'] {
  let left = patience;
  return async (method, path, options) => {
    for (let isAgain = false; ; isAgain = true) {
      try {
        return await request(method, path, options);
      } catch (error) {
        const isOther = error instanceof Refusal && [404, 412].includes(error.error.status);
        if (isAgain && isOther && method !== 'POST') {
          const answer = await request('GET', path);
          if (isAsSent(answer, options)) return answer;
        }
        left -= PAUSE;
        if (!isLost(error) || left < 0 || stop?.aborted === true) throw error;
        await wait(PAUSE);
      }
    }
  };
}

/** Whether a document is as a request wants it: without a body, gone. */
function isAsSent({ body }: Answer, options: RequestOptions = {}): boolean {
  const [sent, found] = [options.body as Sent | undefined, body.data as Resource | null];
  if (sent === undefined || found === null) return sent === undefined && found === null;
  const { attributes = {}, relationships = {} } = found;
  const links = Object.entries(sent.data.relationships ?? {});
  return (
    Object.entries(sent.data.attributes).every(([name, value]) =>
      isDeepStrictEqual(attributes[name] ?? null, value),
    ) && links.every(([name, { data }]) => isDeepStrictEqual(relationships[name]?.data, data))
  );
}

interface Sent {
  readonly data: Required<Pick<Resource, 'attributes'>> & Pick<Resource, 'relationships'>;
}

async function apply(
  remote: Remote,
  request: Remote['request'],
  change: Change,
  isAlone: boolean,
  did: (undo: Undo) => void,
): Promise<void> {
  const { part, stored, before, after } = change;
  const { type } = part;
  const removal = (id: string, etag?: string) =>
    request('DELETE', pathOf(type, id), { headers: { 'if-match': etag } });
  const contentOf = (members: Json) =>
    withGroups(remote, type, members, (id) => {
      did(() => request('DELETE', pathOf(CORE.userGroup, id)));
    });
  const create = async (members: Json) =>
    request('POST', pathOf(type), {
      body: { data: { type, ...(await contentOf(members)) } },
      // What such a request came to is stored, which is dear in a new application.
      headers: isAlone ? {} : { 'idempotency-key': requestKey() },
    });
  if (stored === null) {
    const { body, etag } = await create(after);
    const { id } = body.data as Resource;
    did(() => removal(id, etag));
    return;
  }
  const { id } = stored;
  if (change.action === 'delete') {
    await removal(id, stored.etag);
    did(() =>
      takesSecret(change) ? Promise.reject(new Failure('It is deleted, with its secret.')) : create(before),
    );
    return;
  }
  const send = async (attributes: Json, match: string | undefined): Promise<Answer> => {
    const body = { data: { type, id, ...(await contentOf(attributes)) } };
    return request('PATCH', pathOf(type, id), { body, headers: { 'if-match': match } });
  };
  const { etag } = await send(sentFor(change, after), stored.etag);
  did(() => send(sentFor(change, before), etag));
}

/** The reason of the service, at its places in the files. */
function whyNot({ part, declared }: Change, error: unknown): string {
  if (!(error instanceof Refusal) || isLost(error)) return `The ${labelOf(part)}: ${explain(error)}`;
  if (error.error.status === 412) return `The ${labelOf(part)} has changed since it was read.`;
  if (declared === null) return `The ${labelOf(part)}: ${error.message}`;
  return error.error.errors
    .map(({ title, detail = title, source }) => {
      const pointer = source?.pointer ?? '';
      return faultText(faultIn(declared, { detail, source: { pointer } }));
    })
    .join('\n');
}

async function takeBack(
  done: readonly { readonly change: Change; readonly undo: Undo }[],
  doubtful: readonly string[],
): Promise<string> {
  const left = [...doubtful];
  for (const { change, undo } of done.toReversed()) {
    await undo().catch((error: unknown) => left.push(`  the ${labelOf(change.part)}: ${explain(error)}`));
  }
  return left.length === 0
    ? 'Nothing was pushed.'
    : `Pushed, and not taken back; push again:\n${left.join('\n')}`;
}
