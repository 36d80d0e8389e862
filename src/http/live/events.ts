/** Server-Sent Events: a stream of one subscription as text. It reads a socket of the object, and acknowledges what it could write. */

/** Milliseconds between two comments, which keep the way open. */
const COMMENT_EVERY = 25_000;

interface Said {
  readonly event: string;
  readonly mark?: string;
  readonly [member: string]: unknown;
}

/** The events that come through a socket, until it or the reader closes. */
export function eventsOf(socket: WebSocket): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const write = async (text: string) => {
    try {
      await writer.write(encoder.encode(text));
      socket.send('{"op":"ack"}');
    } catch {
      end();
    }
  };
  const timer = setInterval(() => void write(':\n\n'), COMMENT_EVERY);
  const end = () => {
    clearInterval(timer);
    socket.close();
    writer.close().catch(() => undefined);
  };
  socket.accept();
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') void write(textOf(data));
  });
  socket.addEventListener('close', ({ code, reason }) => {
    void write(`event: end\ndata: ${JSON.stringify({ code, reason })}\n\n`).then(end);
  });
  writer.closed.then(end, end);
  void write(':\n\n');
  return readable;
}

/** JSON has no line breaks. */
function textOf(message: string): string {
  const { event, mark } = JSON.parse(message) as Said;
  const data = message.replace(/^\{"id":"",/, '{');
  return `${mark === undefined ? '' : `id: ${mark}\n`}event: ${event}\ndata: ${data}\n\n`;
}
