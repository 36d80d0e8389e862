/**
 * Marks of feeds: sealed, and bound to all that decides what a feed shows. A mark that is none of this feed for this
 * viewer is refused. One of former rights has expired, because what was shown then can not be told.
 */
import { signerOf } from '../../../auth/credentials.ts';
import type { Bounds } from '../../../auth/sealed.ts';
import type { FeedMark } from '../../../collection/rpc/feed/mark.ts';
import { keyOf } from '../../../domain/documents.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import type { Reader } from '../../endpoint.ts';
import type { PathParameters } from '../../path-parameters.ts';

export interface FeedReader extends Reader {
  readonly parameters: Pick<PathParameters, 'type'>;
}

function boundsOf({ access, apiKey, application, parameters }: FeedReader, condition: string): Bounds {
  const user = access.holder === null ? null : keyOf(access.holder.token.holder);
  return {
    purpose: 'mark',
    application,
    about: [parameters.type, condition, JSON.stringify([apiKey, user])],
  };
}

export async function sealMark(reader: FeedReader, condition: string, mark: FeedMark): Promise<string> {
  const { sealer } = await signerOf(reader.environment);
  const { after, at, base, linked, listed, position, state, through } = mark;
  const text = JSON.stringify([
    base,
    position,
    state,
    reader.access.view,
    at,
    after,
    listed,
    through,
    linked,
  ]);
  return sealer.seal(boundsOf(reader, condition), text);
}

/** What is sealed; former releases have sealed fewer members. */
type Sealed = [
  base: number,
  position: number,
  state: string,
  view: string,
  at?: number,
  after?: string | null,
  listed?: FeedMark['listed'] | null,
  through?: FeedMark['through'] | null,
  linked?: FeedMark['linked'] | null,
];

/** What a mark says. `now` is the mark of whoever wants nothing that there is already. */
export async function openMark(
  reader: FeedReader,
  condition: string,
  sent: string,
): Promise<Outcome<FeedMark | 'now'>> {
  if (sent === 'now') return ok(sent);
  const { sealer } = await signerOf(reader.environment);
  const text = await sealer.open(boundsOf(reader, condition), sent);
  const parameter = 'changes[since]';
  if (text === undefined) {
    const detail = 'The mark does not belong to this feed and viewer: begin with an empty one.';
    return fail('invalid-parameter', detail, { parameter });
  }
  const [base, position, state, view, at = Math.max(base, position), after, listed, through, linked] =
    JSON.parse(text) as Sealed;
  if (view === reader.access.view)
    return ok({
      base,
      position,
      at,
      state,
      ...(typeof after === 'string' && { after }),
      ...(listed && { listed }),
      ...(through && { through }),
      ...(linked && { linked }),
    });
  const detail =
    'The rights of the API key or of the user have changed since the mark: begin anew without it.';
  return fail('mark-expired', detail, { parameter });
}
