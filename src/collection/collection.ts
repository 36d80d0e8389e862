/**
 * The Durable Object of one document type of one application. It decides all that must be decided together with the
 * data (versions, preconditions, rights, existence). It never sees HTTP, but for the sockets of streams: what these
 * are told, and which of them, is decided above.
 */
import { DurableObject } from 'cloudflare:workers';
import { answer } from './calls/table.ts';
import { MAINTENANCE } from './calls/maintenance.ts';
import { READS } from './calls/reads.ts';
import { TRANSFER } from './calls/transfer.ts';
import { WRITES } from './calls/writes.ts';
import { Parts } from './parts.ts';
import { NOTHING_CHANGED } from './rpc/feed/feed.ts';
import type { Calls, CollectionObject } from './rpc/contract.ts';
import type { Environment } from './rpc/environment.ts';
import type { StreamHost, Streams } from './rpc/feed/streams.ts';
import type { WriteTarget } from './rpc/writes/target.ts';
import { collectionOfObject } from './rpc/objects.ts';
import { BEGINS_AGAIN } from './rpc/outages.ts';
import { ringBy } from './storage/alarm.ts';
import { remindOfExports } from './exports.ts';
import { sweepContents } from './write/upkeep/content-sweep.ts';

const CALLS = { ...READS, ...WRITES, ...TRANSFER, ...MAINTENANCE };

export abstract class Collection extends DurableObject<Environment> implements CollectionObject {
  readonly #parts: Parts;
  #made: Streams | null = null;

  constructor(state: DurableObjectState, env: Environment) {
    super(state, env);
    this.#parts = new Parts(state, env, {
      streams: () => this.#made,
      beginAgain: () => {
        state.abort(BEGINS_AGAIN);
      },
    });
    // Whoever slept with the object has been told of all that there is now.
    if (state.getWebSockets().length > 0) this.#streams();
  }

  protected abstract streamsOf(host: StreamHost): Streams;

  call(target: WriteTarget, name: keyof Calls, ...given: readonly unknown[]): unknown {
    return answer({ parts: this.#parts, target }, CALLS[name], given);
  }

  /** Opens a stream. Only the Worker can ask this, and it has admitted the caller. */
  override fetch(request: Request): Response {
    const streams = this.#streams();
    if (streams === null) return new Response(null, { status: 404 });
    return streams.open(request);
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#streams()?.message(socket, message);
  }

  override webSocketClose(socket: WebSocket): void {
    this.#made?.closed(socket);
    try {
      // The client waits for this answer.
      socket.close();
    } catch {
      // It is closed altogether.
    }
  }

  override webSocketError(socket: WebSocket): void {
    this.#made?.closed(socket);
  }

  /** Work in the background: deliveries, pushes that a crash interrupted, and the building of indexes. */
  override alarm(): Promise<void> {
    return this.#parts.background.ring(() => this.#alarm());
  }

  async #alarm(): Promise<void> {
    const { deliveries, feedUpkeep, prepared, writes } = this.#parts;
    // Streams that are told nothing ask for the feed all the same.
    if (this.#made?.any === true && writes.hasTables) await feedUpkeep.ready();
    // These wait for others: the rest is done meanwhile.
    const ended = await Promise.allSettled([deliveries.alarm(), prepared.alarm(), this.#maintenance()]);
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
    await ringBy(this.ctx.storage, this.#made?.alarm(Date.now()) ?? null);
  }

  async #maintenance(): Promise<void> {
    const { coordinator, expiry, feedUpkeep, followers, initialization, learning } = this.#parts;
    const { replication, tables, words, writes } = this.#parts;
    await followers.alarm();
    await replication.push();
    await replication.alarm();
    await coordinator.alarm();
    if (!writes.hasTables) return;
    await sweepContents(this.#parts);
    await learning.alarm();
    tables.outcomes.forget(Date.now());
    await ringBy(this.ctx.storage, tables.outcomes.next());
    await initialization.reminded(expiry.alarm());
    await feedUpkeep.alarm();
    await remindOfExports(this.#parts);
    await words.alarm(expiry.type);
  }

  #streams(): Streams | null {
    const { id } = this.ctx;
    const target = id.name === undefined ? null : collectionOfObject(id.name);
    if (target === null) return null;
    const { feed, watching, writes } = this.#parts;
    return (this.#made ??= this.streamsOf({
      state: this.ctx,
      environment: this.env,
      ...target,
      own: this,
      standing: () => (writes.hasTables ? feed.standing : NOTHING_CHANGED.mark),
      changed: (entries) => (writes.hasTables ? feed.changedSince(entries) : new Set()),
      sure: (seen) => watching.sure(seen),
      isSame: (seen) => watching.changed(seen) === null,
      ring: (at) => ringBy(this.ctx.storage, at),
    }));
  }
}
