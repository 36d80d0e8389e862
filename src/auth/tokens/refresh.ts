/** Refresh tokens: sealed texts that say which login they are of, and for which of its rounds. None is stored. */
import type { Environment } from '../../collection/rpc/environment.ts';
import { storedId, type ApplicationId, type DocumentId } from '../../domain/ids.ts';
import { signerOf } from '../credentials.ts';

/** The login, and how often it was refreshed before. */
interface Round {
  readonly id: DocumentId;
  readonly round: number;
}

const boundsOf = (application: ApplicationId) => ({ purpose: 'refresh', application, about: [] }) as const;

/** The same for the same round. */
export async function sealRefresh(
  environment: Environment,
  application: ApplicationId,
  { id, round }: Round,
): Promise<string> {
  const { sealer } = await signerOf(environment);
  return sealer.seal(boundsOf(application), `${id}/${round}`);
}

/** Undefined for a text that is none of this application. */
export async function openRefresh(
  environment: Environment,
  application: ApplicationId,
  sealed: string,
): Promise<Round | undefined> {
  const { sealer } = await signerOf(environment);
  const [id, round] = (await sealer.open(boundsOf(application), sealed))?.split('/') ?? [];
  return id === undefined ? undefined : { id: storedId(id), round: Number(round) };
}
