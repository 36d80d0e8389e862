/**
 * Opens a stream of changes where a request asks for one at the address of a feed: an upgrade to WebSocket, or events.
 * All before the handler has been checked; the object of the type serves it from here on.
 */
import type { Context } from 'hono';
import { keyOf } from '../../domain/documents.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { endOf } from '../../auth/holder.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import { replyOfProblems } from '../answer.ts';
import { baseOf } from './surroundings.ts';
import { clientAddressOf } from '../client-address.ts';
import { confirm } from './caller.ts';
import { isUpgrade, PROTOCOL, protocolsOf, sealCredentials } from '../live/credentials.ts';
import { requestOf, TOO_MANY, type Opening } from '../live/opening.ts';
import { readStreamQuery, withoutMark } from '../live/stream-query.ts';
import { acceptsEvents, asksForProfile, EVENTS } from '../negotiation.ts';
import { EXTENDED_JSON } from '../pages/profile-page.ts';
import type { RequestCheck, Types } from '../types.ts';

/** Whether a request asks for a stream, and none of the answers that there are else. */
export function asksForStream({ method, headers }: Request): boolean {
  return method === 'GET' && (isUpgrade(headers) || acceptsEvents(headers.get('accept')));
}

export const stream: RequestCheck = async (c) => {
  const { headers } = c.req.raw;
  if (!asksForStream(c.req.raw)) return undefined;
  const refusal = await confirm(c);
  if (refusal !== null && refusal !== 'again') return c.render(refusal);
  const opening = await openingOf(c);
  if (!opening.ok) return c.render(replyOfProblems(opening.problems));
  const { application } = c.get('caller');
  const collection = collectionOf({ environment: c.env, application }, opening.value.type);
  const opened = await collection.stream(requestOf(opening.value));
  const { webSocket } = opened;
  if (webSocket === null) {
    const detail =
      opened.status === TOO_MANY ? 'There are too many streams already.' : 'The stream could not be opened.';
    const wait = { 'retry-after': 10 };
    const code = opened.status === TOO_MANY ? 'too-many-requests' : 'unavailable';
    return c.render(replyOfProblems(fail(code, detail, undefined, wait).problems));
  }
  if (!isUpgrade(headers)) {
    return c.render({
      status: 200,
      typed: true,
      mediaType: EVENTS,
      confidential: true,
      body: eventsOf(webSocket),
      headers: {},
    });
  }
  const named = protocolsOf(headers).includes(PROTOCOL);
  return new Response(null, {
    status: 101,
    webSocket,
    headers: named ? { 'Sec-WebSocket-Protocol': PROTOCOL } : {},
  });
};

async function openingOf(c: Context<Types>): Promise<Outcome<Opening>> {
  const { headers } = c.req.raw;
  const { clientAddressHeader, corsOrigins } = c.get('surroundings').settings;
  const origin = headers.get('origin');
  // No preflight comes before an upgrade.
  if (corsOrigins !== null && origin !== null && !corsOrigins.has(origin)) {
    return fail('forbidden', 'The origin is not one of those that may call.', { header: 'Origin' });
  }
  const search = c.get('surroundings').arrival.address?.query ?? '';
  const query = readStreamQuery(search);
  if (!query.ok) return query;
  const { access, apiKey, application, path } = c.get('caller');
  // The operator has no way here.
  if (apiKey === null) return fail('forbidden', 'Only a key opens streams.', { header: 'api-key' });
  const token = access.holder?.token ?? null;
  const last = headers.get('last-event-id');
  const base = baseOf(c);
  return ok({
    type: c.get('parameters').type,
    credentials: await sealCredentials(c.env, application, c.get('claim').headers),
    apiKey,
    user: token && keyOf(token.holder),
    address: clientAddressOf(c.req.raw, clientAddressHeader),
    until: token && endOf(token) * 1000,
    base,
    path,
    view: access.view,
    wrapped: asksForProfile(headers.get('accept'), `${base}${EXTENDED_JSON}`),
    query: resumed(search, last),
  });
}

/** The query, after the last event that the client has had, if it says so. */
function resumed(search: string, last: string | null): string {
  if (last === null || !/^[\w-]*$/.test(last)) return search;
  const others = withoutMark(search);
  return `?${others === '' ? '' : `${others}&`}changes[since]=${last}`;
}

/** Milliseconds between two comments, which keep the way open. */
const COMMENT_EVERY = 25_000;

interface Said {
  readonly event: string;
  readonly mark?: string;
  readonly [member: string]: unknown;
}

/**
 * Server-Sent Events: one subscription as text, until its socket or the reader closes, or it was refused. It
 * acknowledges what it wrote.
 */
function eventsOf(socket: WebSocket): ReadableStream<Uint8Array> {
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
