/**
 * As whom the streams of an object are: their credentials, asked again whenever something is to be told. Streams with the
 * same credentials are asked for once.
 */
import type { Access } from '../../auth/access.ts';
import { identifyAgain } from '../../auth/identify.ts';
import { refreshKey } from '../../auth/keys.ts';
import type { Environment } from '../../collection/rpc/environment.ts';
import { canonicalPath } from '../../domain/addresses/canonical.ts';
import type { ApplicationId, DocumentId } from '../../domain/ids.ts';
import { statusOf } from '../../domain/problems.ts';
import { openCredentials } from './credentials.ts';
import { CLOSED, type Opening } from './opening.ts';

export interface Identity {
  readonly access: Access;
  readonly apiKey: DocumentId | null;
}

/** Why a stream must end: a code of its close. */
export type Refusal = (typeof CLOSED)[keyof typeof CLOSED];

type Asking = Pick<Opening, 'credentials' | 'path' | 'view'>;

export class Identities {
  readonly #environment: Environment;
  readonly #application: ApplicationId;
  readonly #known = new Map<string, Identity>();
  readonly #opened = new Map<string, Headers>();

  constructor(environment: Environment, application: ApplicationId) {
    this.#environment = environment;
    this.#application = application;
  }

  /** As who was last known; asked where nothing is known. */
  async lastOf(asking: Asking): Promise<Identity | Refusal> {
    return this.#known.get(keyOf(asking)) ?? this.#ask(asking);
  }

  /** As whom they are now, by their credentials (`keyOf`). Whoever sees something else now is refused as well. */
  async now(all: readonly Asking[]): Promise<ReadonlyMap<string, Identity | Refusal>> {
    const distinct = new Map(all.map((asking) => [keyOf(asking), asking]));
    // What a key permits may be remembered for a while: here it is asked anew, once for each key.
    const keys = new Set(Array.from(distinct.keys(), (key) => this.#known.get(key)?.apiKey ?? null));
    await Promise.all(Array.from(keys, async (key) => this.#refresh(key)));
    return new Map(
      await Promise.all(
        Array.from(distinct, async ([key, asking]) => {
          const identity = await this.#ask(asking);
          const isOther = typeof identity === 'object' && identity.access.view !== asking.view;
          return [key, isOther ? CLOSED.anew : identity] as const;
        }),
      ),
    );
  }

  forget(): void {
    this.#known.clear();
    this.#opened.clear();
  }

  async #refresh(key: DocumentId | null): Promise<void> {
    if (key !== null) await refreshKey(this.#environment, this.#application, key);
  }

  async #ask(asking: Asking): Promise<Identity | Refusal> {
    const { credentials, path } = asking;
    const headers =
      this.#opened.get(credentials) ??
      (await openCredentials(this.#environment, this.#application, credentials));
    this.#opened.set(credentials, headers);
    const canonical = canonicalPath(path);
    if (!canonical.ok) return CLOSED.permission;
    const claim = { method: 'get', canonical: canonical.value, headers } as const;
    const caller = await identifyAgain(this.#environment, claim, {});
    if (!caller.ok) {
      this.#known.delete(keyOf(asking));
      const isUnknown = caller.problems.some(({ code }) => statusOf(code) === 401);
      return isUnknown ? CLOSED.credentials : CLOSED.permission;
    }
    const identity = { access: caller.value.access, apiKey: caller.value.apiKey };
    this.#known.set(keyOf(asking), identity);
    return identity;
  }
}

/** What tells those apart that are asked for separately. */
export function keyOf({ credentials, view }: Asking): string {
  return `${credentials} ${view}`;
}
