/** A WebSocket that sends any headers and offers no extensions, so thousands of them cost little: Node's own does. */
import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';

const decoder = new TextDecoder();

/**
 * A runtime leaves the connection open for ten seconds after it has closed a socket that can sleep. Listeners need not
 * wait for that: milliseconds after the server's close frame. (The types of ws do not know it.)
 */
export const CLOSES_SOON: ClientOptions & { readonly closeTimeout: number } = { closeTimeout: 10 };

export interface Listening {
  /** `read` gives the text: who only counts need not. */
  readonly text: (read: () => string) => void;
  /** With the code of the server's close frame, once. */
  readonly close: (code: number) => void;
}

/** Resolves when the server has agreed; rejects with the status of its answer when it has not. */
export async function openSocket(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  listening: Listening,
): Promise<WebSocket> {
  const socket = new WebSocket(new URL(path, url).href, {
    headers,
    perMessageDeflate: false,
    ...CLOSES_SOON,
  });
  socket.binaryType = 'arraybuffer';
  socket.on('message', (data, isBinary) => {
    if (!isBinary) listening.text(() => decoder.decode(data as ArrayBuffer));
  });
  socket.on('close', listening.close);
  await once(socket, 'open');
  socket.on('error', () => undefined);
  return socket;
}
