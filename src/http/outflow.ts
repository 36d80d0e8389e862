/**
 * Large answers on their way out. Text that a client does not read stays in memory, so answers above a size leave in
 * parts, as the client reads them; rows of CSV are made then. The memory that they hold together is limited
 * (domain/work/memory.ts), and an answer that its client does not read is given up.
 */
import { LIMITS } from '../domain/limits.ts';
import { bytesInMemory, giveBack, takeMemory } from '../domain/work/memory.ts';
import type { TextInParts } from '../modules/endpoint.ts';
import type { Reply } from './headers.ts';

/** UTF-16 units of a part. */
const PART = 64 * 1024;

/** Parts that a client must read in the time of `ANSWER_PATIENCE`: 64 KB a second if it is 30 seconds. */
const PARTS = 30;

const encoder = new TextEncoder();

/** A body as a text where that is small, though it would be made while it is sent. */
export function begun(body: Reply['body']): Reply['body'] {
  if (body === null || typeof body === 'string' || body instanceof ReadableStream) return body;
  const { parts, bytes } = body;
  let text = '';
  for (let next = parts.next(); next.done !== true; next = parts.next()) {
    text += next.value;
    if (text.length <= LIMITS.sentAtOnce) continue;
    return { parts: continued(text, parts), bytes: bytes + bytesInMemory(text) };
  }
  return text;
}

function* continued(text: string, parts: TextInParts['parts']): TextInParts['parts'] {
  yield text;
  yield* parts;
}

/**
 * A body to answer with, or null when there is no room for one more. `abort` gives up a body that is not read in time,
 * which is `patience` in milliseconds and more for more parts.
 */
export function outflowOf(
  body: string | TextInParts,
  patience: number,
  abort: (reason: Error) => void,
): string | ReadableStream<Uint8Array> | null {
  const isText = typeof body === 'string';
  if (isText && body.length <= LIMITS.sentAtOnce) return body;
  // Rows double the quotes of what they are made of.
  const units = isText ? body.length : 2 * body.bytes;
  const milliseconds = patience * (1 + units / PART / PARTS);
  const holding = takeMemory(isText ? bytesInMemory(body) : body.bytes, milliseconds);
  if (holding === null) return null;
  let rest = isText ? body : '';
  let parts = isText ? null : body.parts;
  let late: Error | null = null;
  const timer = setTimeout(() => {
    late = new Error('The client has not taken its answer in time.');
    end();
    abort(late);
  }, milliseconds);
  const end = () => {
    clearTimeout(timer);
    giveBack(holding);
    // A reference to the stream holds no text any more.
    rest = '';
    parts = null;
  };
  const source: UnderlyingSource<Uint8Array> = {
    pull(controller) {
      if (late !== null) {
        controller.error(late);
        return;
      }
      while (parts !== null && rest.length <= PART) {
        const next = parts.next();
        if (next.done === true) parts = null;
        else rest += next.value;
      }
      const at = endOfPart(rest);
      controller.enqueue(encoder.encode(rest.slice(0, at)));
      rest = rest.slice(at);
      if (rest !== '' || parts !== null) return;
      controller.close();
      end();
    },
    cancel: end,
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** The end of the first part: never inside a character. */
function endOfPart(rest: string): number {
  const last = rest.charCodeAt(PART - 1);
  return last >= 0xd800 && last < 0xdc00 ? PART + 1 : PART;
}
