/**
 * Makes an application as a project declares. The service has no transaction over these documents: each change holds only
 * where nobody has changed the document since it was read, and where one fails, those before it are taken back.
 */
import { pathOf, requestKey } from '../../src/client/paths.ts';
import type { Answer, Resource } from '../../src/client/transport.ts';
import { CORE } from '../../src/domain/types.ts';
import { explain, Failure } from '../failure.ts';
import type { Json } from '../json-objects.ts';
import { sentFor, type Change } from './changes.ts';
import { faultIn } from './check.ts';
import { faultText } from './files.ts';
import { withGroups } from './groups.ts';
import { factsOf, labelOf } from './parts.ts';
import { Refusal, type Remote } from './target.ts';

/** Takes a change back, if nobody has changed the document since. */
type Undo = () => Promise<unknown>;

export async function push(remote: Remote, changes: readonly Change[]): Promise<void> {
  const done: { readonly change: Change; readonly undo: Undo }[] = [];
  for (const change of changes.toSorted((a, b) => Number(takesSecret(a)) - Number(takesSecret(b)))) {
    try {
      await apply(remote, change, (undo) => done.push({ change, undo }));
    } catch (error) {
      throw new Failure(`${whyNot(change, error)}\n${await takeBack(done)}`, { cause: error });
    }
  }
}

/** A deletion that cannot be taken back is done last: another document would have another secret. */
function takesSecret({ action, part }: Change): boolean {
  return action === 'delete' && factsOf(part.type).made !== undefined;
}

async function apply(remote: Remote, change: Change, did: (undo: Undo) => void): Promise<void> {
  const { request } = remote;
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
      headers: { 'idempotency-key': requestKey() },
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
  if (!(error instanceof Refusal)) return `The ${labelOf(part)}: ${explain(error)}`;
  if (error.error.status === 412) return `The ${labelOf(part)} has changed since it was read.`;
  if (declared === null) return `The ${labelOf(part)}: ${error.message}`;
  return error.error.errors
    .map(({ title, detail = title, source }) => {
      const pointer = source?.pointer ?? '';
      return faultText(faultIn(declared, { detail, source: { pointer } }));
    })
    .join('\n');
}

async function takeBack(done: readonly { readonly change: Change; readonly undo: Undo }[]): Promise<string> {
  const left: string[] = [];
  for (const { change, undo } of done.toReversed()) {
    await undo().catch((error: unknown) => left.push(`  the ${labelOf(change.part)}: ${explain(error)}`));
  }
  return left.length === 0 ? 'Nothing was pushed.' : `Pushed, and not taken back:\n${left.join('\n')}`;
}
