/** Server-Sent Events: one subscription as text. It reads a socket of the object, and acknowledges what it wrote. */

/** Milliseconds between two comments, which keep the way open. */
const COMMENT_EVERY = 25_000;

interface Said {
  readonly event: string;
  readonly mark?: string;
  readonly [member: string]: unknown;
}

/** The events that come through a socket, until it or the reader closes, or the subscription was refused. */
export function eventsOf(socket: WebSocket): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  /** What the reader has not taken yet, but for the text that is on its way. */
  const waiting: string[] = [];
  let isWriting = false;
  let isOver = false;
  const write = (text: string, isLast = false) => {
    if (isOver) return;
    isOver = isLast;
    waiting.push(text);
    if (!isWriting) void drain();
  };
  const drain = async () => {
    isWriting = true;
    try {
      for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
        await writer.write(encoder.encode(text));
        if (!isOver) socket.send('{"op":"ack"}');
      }
    } catch {
      isOver = true;
    }
    isWriting = false;
    if (isOver) end();
  };
  const timer = setInterval(() => {
    write(':\n\n');
  }, COMMENT_EVERY);
  const end = () => {
    clearInterval(timer);
    socket.close();
    writer.close().catch(() => undefined);
  };
  socket.accept();
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') return;
    const said = JSON.parse(data) as Said;
    write(textOf(data, said), said.event === 'error');
  });
  socket.addEventListener('close', ({ code, reason }) => {
    // Whoever may not read any more is not given what still waits.
    if (!isOver) waiting.length = 0;
    write(`event: end\ndata: ${JSON.stringify({ code, reason })}\n\n`, true);
  });
  writer.closed.then(end, end);
  write(':\n\n');
  return readable;
}

/** JSON has no line breaks. */
function textOf(message: string, { event, mark }: Said): string {
  const data = message.replace(/^\{"id":"",/, '{');
  return `${mark === undefined ? '' : `id: ${mark}\n`}event: ${event}\ndata: ${data}\n\n`;
}
