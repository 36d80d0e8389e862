/**
 * A WebSocket client that is told each frame as it comes, sends any headers and any frames, and costs little: thousands of
 * them measure the server, not themselves. It offers no extensions and joins no fragments.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;

/** The code of a connection that ended without a word (RFC 6455, 7.1.5). */
const ABNORMAL = 1006;

export interface Listening {
  /** `read` gives the text, as long as it is called at once: who only counts need not. */
  readonly text: (read: () => string) => void;
  /** With the code of the server's close frame, once. */
  readonly close: (code: number) => void;
}

export class RawSocket {
  readonly #socket: Socket;
  readonly #listening: Listening;
  /** Headers of the answer to the upgrade. */
  readonly head: string;
  #rest: Uint8Array;
  #isClosed = false;

  private constructor(socket: Socket, head: string, rest: Uint8Array, listening: Listening) {
    this.#socket = socket;
    this.#listening = listening;
    this.head = head;
    this.#rest = rest;
    socket.on('data', (data: Uint8Array) => {
      this.#rest = this.#rest.length === 0 ? data : joined(this.#rest, data);
      this.#read();
    });
    socket.on('close', () => {
      this.#close(ABNORMAL);
    });
    this.#read();
  }

  /** Resolves when the server has agreed; rejects with its answer when it has not. */
  static open(
    url: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    listening: Listening,
  ): Promise<RawSocket> {
    const { hostname, port } = new URL(url);
    const lines = Object.entries({
      host: `${hostname}:${port}`,
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let received = new Uint8Array(0);
      socket.on('error', reject);
      socket.on('close', () => {
        reject(new Error(`There is no WebSocket: ${read(received)}`));
      });
      socket.on('data', function head(data: Uint8Array) {
        received = joined(received, data);
        // What comes after the head may be cut within a character.
        const all = new TextDecoder('latin1').decode(received);
        const end = all.indexOf('\r\n\r\n');
        if (end === -1) return;
        socket.off('data', head);
        const text = all.slice(0, end);
        if (text.startsWith('HTTP/1.1 101 ')) {
          resolve(new RawSocket(socket, text, received.subarray(end + 4), listening));
        } else {
          socket.end();
          reject(new Error(text));
        }
      });
      socket.write(`GET ${encodeURI(path)} HTTP/1.1\r\n${lines.join('')}\r\n`);
    });
  }

  say(message: unknown): void {
    this.send(JSON.stringify(message));
  }

  /** Sends a frame, masked with zeros. */
  send(content: string | Uint8Array): void {
    const body = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const sizes = body.length < 126 ? 0 : body.length < 65_536 ? 2 : 8;
    const head = new DataView(new ArrayBuffer(6 + sizes));
    head.setUint8(0, 0x80 + (typeof content === 'string' ? TEXT : BINARY));
    head.setUint8(1, 0x80 + (sizes === 0 ? body.length : sizes === 2 ? 126 : 127));
    if (sizes === 2) head.setUint16(2, body.length);
    if (sizes === 8) head.setBigUint64(2, BigInt(body.length));
    this.#socket.write(joined(new Uint8Array(head.buffer), body));
  }

  /** Reads nothing more: what the server sends waits where it is. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Ends the connection without a word. */
  end(): void {
    this.#socket.destroy();
  }

  #read(): void {
    let at = 0;
    for (let frame = frameAt(this.#rest, at); frame !== null; frame = frameAt(this.#rest, at)) {
      const { body, end, kind } = frame;
      at = end;
      if (kind === TEXT) this.#listening.text(() => read(body));
      if (kind === CLOSE) this.#close(((body[0] ?? 0) << 8) | (body[1] ?? 0));
    }
    if (at > 0) this.#rest = this.#rest.subarray(at);
  }

  #close(code: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listening.close(code);
    this.#socket.destroy();
  }
}

/** The frame at a place, if all of it is there. */
function frameAt(bytes: Uint8Array, at: number) {
  const [first, short] = bytes.subarray(at, at + 2);
  if (first === undefined || short === undefined) return null;
  const sizes = short < 126 ? 0 : short === 126 ? 2 : 8;
  const begin = at + 2 + sizes;
  if (bytes.length < begin) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + 2);
  const length = sizes === 0 ? short : sizes === 2 ? view.getUint16(0) : Number(view.getBigUint64(0));
  const end = begin + length;
  return bytes.length < end ? null : { kind: first & 0x0f, body: bytes.subarray(begin, end), end };
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

function read(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
