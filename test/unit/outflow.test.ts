/** Texts that are made while they are sent: no more of them is made, and held, than the client has read. */
import { afterEach, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { giveBack, takeMemory, type Holding } from '../../src/domain/work/memory.ts';
import { begun, outflowOf } from '../../src/http/outflow.ts';

const ROW = `${'x'.repeat(9_998)}\r\n`;
const PATIENCE = 60_000;

let made = 0;
function* rows(count: number): Generator<string, void> {
  for (made = 0; made < count;) {
    made += 1;
    yield ROW;
  }
}

const held: Holding[] = [];
afterEach(() => {
  for (const each of held.splice(0)) giveBack(each);
});
/** Whether so much memory is free; takes nothing. */
function isFree(bytes: number): boolean {
  const holding = takeMemory(bytes, PATIENCE);
  if (holding !== null) giveBack(holding);
  return holding !== null;
}

/** The body of so many rows on its way out. */
function leaving(count: number, bytes: number): ReadableStream<Uint8Array> {
  const body = begun({ parts: rows(count), bytes });
  if (body === null || body instanceof ReadableStream) expect.fail();
  const out = outflowOf(body, PATIENCE, () => expect.fail('given up'));
  return out instanceof ReadableStream ? out : expect.fail();
}

test('a small one is a text', () => {
  expect(begun({ parts: rows(3), bytes: 10 })).toBe(ROW.repeat(3));
});

test('a large one is made as it is read, and whole', async () => {
  const out = leaving(1_000, 5_000_000);
  const begunRows = Math.floor(LIMITS.sentAtOnce / ROW.length) + 1;
  expect(made).toBe(begunRows);
  const decoder = new TextDecoder();
  let [text, ahead] = ['', 0];
  for await (const part of out) {
    text += decoder.decode(part, { stream: true });
    ahead = Math.max(ahead, made * ROW.length - text.length);
  }
  expect(text === ROW.repeat(1_000)).toBe(true);
  expect(ahead).toBeLessThan(LIMITS.sentAtOnce + 2 * ROW.length);
});

test('what it is made of counts until it has gone', async () => {
  const all = LIMITS.answersLeaving;
  const [read, left] = [leaving(100, all / 4), leaving(100, all / 4)];
  expect([isFree(all / 2), isFree(all / 2 - 1_000_000)]).toEqual([false, true]);
  for await (const part of read) expect(part.length).toBeGreaterThan(0);
  expect(isFree(all / 2 + 1_000_000)).toBe(true);
  await left.cancel();
  expect(isFree(all)).toBe(true);
});

test('there is no room for one more', () => {
  held.push(takeMemory(LIMITS.answersLeaving - 1_000, PATIENCE) ?? expect.fail());
  const body = begun({ parts: rows(100), bytes: 1_000 });
  if (body === null || body instanceof ReadableStream) expect.fail();
  expect(outflowOf(body, PATIENCE, () => undefined)).toBeNull();
});
