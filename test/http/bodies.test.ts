/** Bodies at their limits: size while reading, depth, encoding (decisions, sections 1 and 6). */
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Client, MEDIA_TYPE, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const MIB = 1024 * 1024;

const client = await Client.create();

/** A document as JSON text of so many bytes. */
function ofSize(bytes: number): string {
  const [head, tail] = ['{"data":{"type":"a","attributes":{"a":"', '"}}}'];
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail;
}

/** A document with an attribute so that arrays and objects nest so many levels. */
function ofDepth(levels: number): string {
  const inner = levels - 3;
  return `{"data":{"type":"a","attributes":{"a":${'['.repeat(inner)}${']'.repeat(inner)}}}}`;
}

const post = (body: unknown) => client.post('/resources/a', body);

/** Sends the head of a POST and some bytes, and never ends the body. Gives the answer that comes all the same. */
function unended(headers: Record<string, string | number>, chunks: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${client.url}/resources/a`,
      {
        method: 'POST',
        headers: {
          'application-id': client.application,
          'api-key': client.key,
          'content-type': MEDIA_TYPE,
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('end', () => {
          resolve(text);
          sent.destroy();
        });
      },
    );
    sent.on('error', reject);
    sent.flushHeaders();
    for (const chunk of chunks) sent.write(chunk);
  });
}

describe('size', () => {
  test('a body of 1 MiB is read', async () => {
    const body = ofSize(MIB);
    expect(body).toHaveLength(MIB);
    const made = await post(body);
    expect(made.status).toBe(201);
    const read = await client.get(`/resources/a/${made.body.data.id}`);
    expect(read.body.data.attributes).toEqual(made.body.data.attributes);
  });

  test('one byte more is 413', async () => {
    expect(faultsOf(await post(ofSize(MIB + 1)))).toEqual(['413 body-too-large']);
  });

  test('bytes are counted, not characters', async () => {
    const body = `{"data":{"type":"a","attributes":{"a":"${'ü'.repeat(MIB / 2)}"}}}`;
    expect(faultsOf(await post(body))).toEqual(['413 body-too-large']);
  });

  test('a stream without a declared size is read too', async () => {
    const bytes = new TextEncoder().encode(ofSize(200_000));
    const stream = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 10_000) controller.enqueue(bytes.slice(at, at + 10_000));
        controller.close();
      },
    });
    expect((await post(stream)).status).toBe(201);
  });

  test('a stream that is too large is refused before it ends', async () => {
    const answer = await unended(
      {},
      Array.from({ length: 40 }, () => ' '.repeat(32 * 1024)),
    );
    expect(faultsOf({ body: JSON.parse(answer) as unknown } as Reply)).toEqual(['413 body-too-large']);
  });

  test('a declared size that is too large is refused before the body comes', async () => {
    const answer = await unended({ 'content-length': 100 * MIB }, []);
    expect(faultsOf({ body: JSON.parse(answer) as unknown } as Reply)).toEqual(['413 body-too-large']);
  });

  test('a document that a PATCH would make too large is 413, and stays as it was', async () => {
    const half = 'x'.repeat(600_000);
    const { id } = await client.make('grown', { a: half });
    const path = `/resources/grown/${id}`;
    const data = { type: 'grown', id, attributes: { b: half } };
    expect(faultsOf(await client.patch(path, { data }))).toEqual(['413 document-too-large']);
    expect(Object.keys((await client.get(path)).body.data.attributes ?? {})).toEqual(['a']);
    const replaced = await client.patch(path, { data: { ...data, attributes: { a: 'small', b: half } } });
    expect(replaced.status).toBe(200);
  });
});

describe('depth', () => {
  test('64 levels are read, stored and shown', async () => {
    const made = await post(ofDepth(64));
    expect(made.status).toBe(201);
    expect(made.text).toContain(`"a":${'['.repeat(61)}${']'.repeat(61)}`);
  });

  test('65 levels are 400', async () => {
    expect(faultsOf(await post(ofDepth(65)))).toEqual(['400 too-deep']);
  });

  test.each([
    ['arrays', '['.repeat(400_000) + ']'.repeat(400_000)],
    ['objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
  ])('a bomb of %s is 400', async (_, bomb) => {
    expect(faultsOf(await post(bomb))).toEqual(['400 too-deep']);
  });
});

describe('what is no JSON is 400', () => {
  test.each([
    ['cut off', '{"data":{"type":"a"'],
    ['with something behind it', '{"data":{"type":"a"}} x'],
    ['with a raw control character', '{"data":{"type":"a","attributes":{"a":"\n"}}}'],
    ['of spaces', '   '],
    ['in invalid UTF-8', Uint8Array.from([0x22, 0xc3, 0x28, 0x22])],
    ['with a surrogate as UTF-8', Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['in UTF-16', Uint8Array.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ])('a text %s', async (_, body) => {
    expect(faultsOf(await post(body))).toEqual(['400 invalid-json']);
  });

  test.each([
    ['/data', '{"data":{"type":"a"},"data":{"type":"a"}}'],
    ['/data/attributes/a', '{"data":{"type":"a","attributes":{"a":1,"b":{"a":1},"a":1}}}'],
    ['/data/attributes/b/0/a', '{"data":{"type":"a","attributes":{"b":[{"a" :1.0,"\\u0061":2}]}}}'],
  ])('a name twice in one object: %s', async (pointer, body) => {
    expect(faultsOf(await post(body))).toEqual([`400 invalid-json ${pointer}`]);
  });

  test.each(['', new Uint8Array(0)])('nothing at all', async (body) => {
    expect(faultsOf(await post(body))).toEqual(['400 missing-body']);
  });
});
