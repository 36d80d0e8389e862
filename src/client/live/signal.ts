/**
 * A WebSocket that says when there is something new in the feed of a type (docs/live.md, Streams). What is new is
 * read from the feed: a browser cannot ask a socket for exact values, and events have no entity tags. So it asks for
 * documents without fields. Where no socket can be had, it says nothing, and others must look by themselves.
 */
import type { Database } from '../database.ts';
import { parametersOf } from '../index.ts';
import { pathOf } from '../paths.ts';
import { pauseAfter } from './pulse.ts';
import { encodeQuery, type RawQuery } from '../query.ts';

/** Milliseconds: between two questions whether the way is open, and for the answer when the page has just come back. */
const PING_EVERY = 25_000;
const PATIENCE = 5_000;
/** A socket that has lived for so many milliseconds was none that fails. */
const LIVED = 30_000;
/** Between two tries, in milliseconds: the first, and at most. */
const FIRST = 1_000;
const LONGEST = 300_000;
/** Messages that are acknowledged together: the service cuts off whoever leaves 1,000 without it. */
const TOGETHER = 200;
/** `WebSocket.OPEN`. */
const OPEN = 1;

export interface Hearing {
  /** Told that there is something new. */
  readonly onNews: () => void;
  /** Told that the socket is lost. When another one may be opened, there is news again. */
  readonly onLost: () => void;
}

type Connected = Pick<Database<unknown>, 'settings' | 'token'>;

export class Signal {
  readonly #connect: (mark: string) => WebSocket | null;
  readonly #hearing: Hearing;
  #socket: { readonly ping: (patience: number) => void; readonly end: () => void } | null = null;
  #failures = 0;
  /** While no socket may be opened. */
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(db: Connected, type: string, { filter }: Pick<RawQuery, 'filter'>, hearing: Hearing) {
    this.#hearing = hearing;
    this.#connect = (mark) => connect(db, type, { ...parametersOf(type, { filter, fields: [] }), mark });
  }

  /** Whether news are told. */
  get isOpen(): boolean {
    return this.#socket !== null;
  }

  /** Listens for what comes after a mark, unless it does, or must wait. */
  open(mark: string): void {
    if (this.#socket !== null || this.#resting !== undefined) return;
    const socket = this.#connect(mark);
    if (socket !== null) this.#listen(socket);
  }

  /** The page or the network is back: whether the socket has outlived that shows soon, and nothing must wait. */
  wake(): void {
    this.#rest();
    this.#socket?.ping(PATIENCE);
  }

  close(): void {
    this.#rest();
    this.#socket?.end();
  }

  /** Opens no socket for so many milliseconds. */
  #rest(pause?: number): void {
    clearTimeout(this.#resting);
    const rested = () => {
      this.#resting = undefined;
      this.#hearing.onNews();
    };
    this.#resting = pause === undefined ? pause : setTimeout(rested, pause);
  }

  #listen(socket: WebSocket): void {
    const began = Date.now();
    let received = 0;
    let timer: ReturnType<typeof setTimeout>;
    const end = () => {
      clearTimeout(timer);
      clearInterval(looking);
      if (this.#socket === opened) this.#socket = null;
      socket.close();
    };
    const lost = () => {
      if (this.#socket !== opened) return;
      end();
      this.#failures = Date.now() - began < LIVED ? this.#failures + 1 : 0;
      // Many that have lost a service must not come back to it at once.
      this.#rest(pauseAfter(this.#failures, FIRST, LONGEST) * Math.random());
      this.#hearing.onLost();
    };
    const ping = (patience: number) => {
      clearTimeout(timer);
      timer = setTimeout(lost, patience);
      if (socket.readyState === OPEN) socket.send('ping');
    };
    const opened = { ping, end };
    this.#socket = opened;
    timer = setTimeout(lost, PING_EVERY);
    // The event `close` comes when the connection ends: up to ten seconds after the service has closed the socket.
    const looking = setInterval(() => {
      if (socket.readyState > OPEN) lost();
    }, FIRST);
    socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
      if (this.#socket !== opened) return;
      clearTimeout(timer);
      timer = setTimeout(ping, PING_EVERY, PING_EVERY);
      if (data === 'pong') return;
      received += 1;
      if (received % TOGETHER === 0) socket.send('{"op":"ack"}');
      const { event } = JSON.parse(String(data)) as { readonly event: string };
      // Why a subscription is refused, the feed tells as well.
      if (event === 'error') lost();
      else if (event !== 'ready') this.#hearing.onNews();
    });
  }
}

function connect(
  { settings, token }: Connected,
  type: string,
  { mark, ...parameters }: { readonly mark: string } & Readonly<Record<string, string>>,
): WebSocket | null {
  const { url, application, key } = settings;
  const query = encodeQuery({ ...parameters, 'changes[since]': mark });
  const address = `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}${pathOf(type, 'changes')}?${query}`;
  const protocols = ['foredge.v1', `application-id.${application}`, `api-key.${textOf(key)}`];
  try {
    return new WebSocket(address, token === null ? protocols : [...protocols, `token.${textOf(token)}`]);
  } catch {
    // There are none here, or not from this page to that address.
    return null;
  }
}

/** A protocol takes letters, digits and few signs. Keys and tokens are ASCII. */
const textOf = (value: string) => btoa(value).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
