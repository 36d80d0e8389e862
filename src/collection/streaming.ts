/** A collection with streams: what its object does with their sockets. What is told, and to whom, is decided above. */
import type { CollectionName } from '../domain/documents.ts';
import type { DocumentId } from '../domain/ids.ts';
import { Collection } from './collection.ts';
import type { Environment } from './rpc/environment.ts';
import { collectionOfObject } from './rpc/objects.ts';
import type { StreamHost, Streams } from './rpc/feed/streams.ts';
import { ringBy } from './storage/alarm.ts';

export abstract class StreamingCollection extends Collection {
  #made: Streams | null = null;

  constructor(state: DurableObjectState, env: Environment) {
    super(state, env);
    // Whoever slept with the object has been told of all that there is now.
    if (state.getWebSockets().length > 0) this.#streams();
  }

  protected abstract streamsOf(host: StreamHost): Streams;

  /** Only the Worker can ask this, and it has admitted the caller. */
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

  override async alarm(): Promise<void> {
    // Streams that are told nothing ask for the feed all the same.
    if (this.#made?.any === true && this.parts.writes.hasTables) await this.parts.feed.ready();
    await super.alarm();
    const next = this.#made?.alarm(Date.now()) ?? null;
    if (next !== null) await ringBy(this.ctx.storage, next);
  }

  override concern(identities: readonly string[] | null): boolean {
    return this.#made?.concern(identities) ?? false;
  }

  override async erase(name: CollectionName): Promise<readonly DocumentId[]> {
    const ended = await super.erase(name);
    this.#made?.end();
    return ended;
  }

  protected override committed(): void {
    this.#made?.wake();
  }

  #streams(): Streams | null {
    const { id } = this.ctx;
    const name = id.name === undefined ? null : collectionOfObject(id.name);
    if (name === null) return null;
    const { application } = name;
    return (this.#made ??= this.streamsOf({
      state: this.ctx,
      environment: this.env,
      application,
      standing: () => this.standing(),
      changed: (told) => this.changedSince(told),
      ring: (at) => ringBy(this.ctx.storage, at),
    }));
  }
}
