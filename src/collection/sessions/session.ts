/**
 * The Durable Object of one holder: a lease on the truth about its tokens and groups. It stores nothing: what it
 * remembers, it can ask again.
 */
import { DurableObject } from 'cloudflare:workers';
import { Lru } from '../../domain/caching/lru.ts';
import { settingsOf } from '../../domain/environment/settings.ts';
import type { Environment } from '../rpc/environment.ts';
import type { SessionName, SessionObject, TokenStanding, TokenOfHolder } from '../rpc/sessions/contract.ts';
import { hourNow, standingInCollections } from '../rpc/sessions/sessions.ts';

/** Tokens remembered of one holder: each login makes one. */
const TOKENS = 100;

interface Known {
  readonly standing: TokenStanding;
  /** In milliseconds since 1970. */
  readonly until: number;
}

export class Session extends DurableObject<Environment> implements SessionObject {
  readonly #known = new Lru<string, Known>(TOKENS);
  /** Questions that are on their way, by token: requests that arrive together ask once. */
  readonly #pending = new Map<string, Promise<TokenStanding>>();
  readonly #hours = new Lru<string, number>(TOKENS);
  /** Counts what was told: an answer to a question that was put before is thrown away. */
  #changes = 0;

  async ask(name: SessionName, token: TokenOfHolder): Promise<TokenStanding> {
    const key = `${token.id} ${token.version}`;
    const hour = hourNow();
    const isFirst = this.#hours.get(key) !== hour;
    this.#hours.set(key, hour);
    return { ...(await this.#standing(key, name, token)), isFirst };
  }

  async #standing(key: string, name: SessionName, token: TokenOfHolder): Promise<TokenStanding> {
    const known = this.#known.get(key);
    if (known !== undefined && known.until > Date.now()) return known.standing;
    const running = this.#pending.get(key);
    if (running !== undefined) return running;
    const pending = this.#learn(key, name, token).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  changed(): void | Promise<void> {
    this.#changes += 1;
    this.#known.clear();
  }

  async #learn(key: string, name: SessionName, token: TokenOfHolder): Promise<TokenStanding> {
    for (;;) {
      const changes = this.#changes;
      // The lease is counted from before the question, so it ends here before it ends where it was given.
      const until = Date.now() + settingsOf(this.env).sessionLease;
      const standing = await standingInCollections(this.env, name, token);
      // A change that could not be told has waited for the lease to end.
      if (changes !== this.#changes || until <= Date.now()) continue;
      // Nobody tells of an import.
      if (standing.stands !== null) this.#known.set(key, { standing, until });
      return standing;
    }
  }
}
