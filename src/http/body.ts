/** Reads a body up to its limit and within its time, and parses it. */
import { waitUntil } from 'cloudflare:workers';
import { joined } from '../domain/values/bytes.ts';
import { parseJson, type Parsed } from '../domain/values/json.ts';
import { LIMITS } from '../domain/limits.ts';
import { pointerOf } from '../domain/pointer.ts';
import { noMemory, type RequestMemory } from '../domain/work/memory.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { within } from '../domain/values/within.ts';
import type { PieceReader } from '../modules/files/pieces.ts';

export interface BodyLimits {
  /** Milliseconds in which it must arrive. */
  readonly deadline: number;
  /** In bytes, and in levels of arrays and objects, if they differ from those of other bodies. */
  readonly most?: number | undefined;
  readonly depth?: number | undefined;
  readonly memory: RequestMemory;
  /** False for a body that is to come as its text. */
  readonly parsed?: boolean;
}

export async function readBody(
  request: Request,
  { deadline, memory, most = LIMITS.body, depth = LIMITS.jsonDepth, parsed: isParsed = true }: BodyLimits,
): Promise<Outcome<Parsed>> {
  const bytes = await within(deadline, readBytes(request, most, memory));
  if (bytes === 'late') {
    return fail('body-too-slow', `A body must arrive within ${deadline / 1000} seconds.`);
  }
  if (bytes === 'too large') return fail('body-too-large', `A body has at most ${most} bytes here.`);
  if (bytes === 'broken') return fail('invalid-json', 'The body is not as long as the request says.');
  if (bytes === 'no memory') return noMemory();
  return isParsed ? parsedBytes(bytes, depth) : textOf(bytes);
}

/** The JSON of a body. */
export function parsedBytes(bytes: Uint8Array, depth: number): Outcome<Parsed> {
  const read = textOf(bytes);
  if (!read.ok) return read;
  const parsed = parseJson(read.value, depth);
  if (parsed.ok) return ok(parsed.value);
  const code = parsed.reason === 'depth' ? 'too-deep' : 'invalid-json';
  const source = parsed.place === undefined ? undefined : { pointer: pointerOf(parsed.place) };
  return fail(code, parsed.detail, source);
}

type Bytes = Uint8Array | 'too large' | 'no memory' | 'broken';

/** Holds memory for bytes, where they are many: what is read of them takes as much again. */
async function hold(memory: RequestMemory, bytes: number): Promise<boolean> {
  return bytes <= LIMITS.sentAtOnce || memory.hold(2 * bytes);
}

/** The bytes of the body, or its problem as soon as it is known. */
async function readBytes(request: Request, most: number, memory: RequestMemory): Promise<Bytes> {
  const declared = request.headers.get('content-length');
  const length = declared !== null && /^[0-9]+$/.test(declared) ? Number(declared) : null;
  if (length !== null && length > most) {
    await drainBriefly(request.body?.getReader());
    return 'too large';
  }
  if (length === null) return readStream(request, most, memory);
  if (!(await hold(memory, length))) {
    await drainBriefly(request.body?.getReader());
    return 'no memory';
  }
  // The runtime reads no more than was declared. A client that goes away earlier is no fault of the service.
  const bytes = await request.arrayBuffer().catch(() => null);
  return bytes === null ? 'broken' : new Uint8Array(bytes);
}

/** The same for a body that does not say how long it is: memory is held as it comes. */
async function readStream(request: Request, most: number, memory: RequestMemory): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let held = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  for (;;) {
    // A client that goes away, or sends malformed chunks, is no fault of the service.
    const part = await reader?.read().catch(() => null);
    if (part === null) return 'broken';
    if (part === undefined || part.done) break;
    const chunk = part.value;
    size += chunk.length;
    if (size > most) {
      await drainBriefly(reader);
      return 'too large';
    }
    if (!(await hold(memory, size - held))) {
      await drainBriefly(reader);
      return 'no memory';
    }
    if (size - held > LIMITS.sentAtOnce) held = size;
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : joined(...chunks);
}

/** A client that is cut off while it sends would not see the answer, so the rest is read first, within limits. */
export async function drainBriefly(reader: PieceReader | undefined): Promise<void> {
  const drained = drain(reader);
  waitUntil(drained);
  await Promise.race([drained, scheduler.wait(LIMITS.bodyDraining)]);
}

async function drain(reader: PieceReader | undefined): Promise<void> {
  let left = LIMITS.bodyDrained;
  while (left > 0) {
    const part = await reader?.read().catch(() => null);
    if (part === null || part === undefined || part.done) return;
    left -= part.value.length;
  }
  await reader?.cancel();
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function textOf(bytes: Uint8Array): Outcome<string> {
  if (bytes.length === 0) return fail('missing-body', 'Send a JSON:API document as the body.');
  try {
    return ok(utf8.decode(bytes));
  } catch {
    return fail('invalid-json', 'The body is not valid UTF-8.');
  }
}
