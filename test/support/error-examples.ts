/** The examples of error-examples.md as requests: what stands in capitals there is of a test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATOMIC_MEDIA_TYPE, MEDIA_TYPE, type Body, type Client, type Reply } from './client.ts';

const PAGE = join(import.meta.dirname, 'error-examples.md');

interface Example {
  readonly request: ExampleRequest;
  /** The answer as the page has it. */
  readonly answer: string;
}

interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly times: number;
}

export interface Section {
  readonly code: string;
  readonly examples: readonly Example[];
}

const FENCE = /```http\n(.*?)```/gs;

export function readSections(): readonly Section[] {
  const [, ...sections] = readFileSync(PAGE, 'utf8').split(/^### /m);
  return sections.map((section) => {
    const [code = '', ...rest] = (section.split(/^## /m)[0] ?? '').split('\n');
    const text = rest.join('\n');
    return {
      code,
      examples: Array.from(text.matchAll(FENCE), ([, block = '']) => readExample(block)),
    };
  });
}

function readExample(block: string): Example {
  const [request = '', answer = ''] = block.split('→');
  const [head = '', ...body] = request.trim().split('\n\n');
  const [line = '', ...headers] = head.split('\n');
  const [, method = '', path = '', times = '1'] = /^([A-Z]+) (\S.*?)(?: \((\d+) times\))?$/.exec(line) ?? [];
  const pairs = headers.map((each) => {
    const at = each.indexOf(':');
    return [each.slice(0, at), each.slice(at + 1).trim()] as const;
  });
  return {
    request: {
      method,
      path,
      headers: Object.fromEntries(pairs),
      body: body.join('\n\n'),
      times: Number(times),
    },
    answer: answer.trim(),
  };
}

/** Sends the request of an example; an empty header is left out. `names` gives what the words in capitals stand for. */
export async function sendExample(
  { url, application, key }: Client,
  { method, path, headers, body, times }: ExampleRequest,
  names: Readonly<Record<string, string>>,
): Promise<Answer> {
  const filled = (text: string) => repeated(inserted(text, names));
  const mediaType = path === '/operations' ? ATOMIC_MEDIA_TYPE : MEDIA_TYPE;
  const sent = new Headers({ 'application-id': application, 'api-key': key, accept: mediaType });
  if (body !== '') sent.set('content-type', mediaType);
  for (const [name, value] of Object.entries(headers)) {
    if (value === '') sent.delete(name);
    else sent.set(name, filled(value));
  }
  const request = { method, headers: sent, ...(body !== '' && { body: filled(body) }) };
  const target = `${url}${filled(path).replaceAll(' ', '%20')}`;
  for (let count = 1; count < times; count += 1) await (await fetch(target, request)).text();
  const response = await fetch(target, request);
  return { status: response.status, body: await response.json<Body>() };
}

type Answer = Pick<Reply, 'status' | 'body'>;

/** An answer as the page writes it. */
export function shownAnswer({ status, body }: Answer, names: Readonly<Record<string, string>>): string {
  const lines = body.errors.map(({ code, detail, source, meta }) => {
    const { pointer, parameter, header } = source ?? {};
    const inner = meta?.['pointer'];
    const places = [
      pointer,
      parameter === undefined ? undefined : `in ${parameter}`,
      header === undefined ? undefined : `in ${header}`,
      typeof inner === 'string' && inner !== '' ? `at ${inner}` : undefined,
    ].filter((place) => place !== undefined);
    return `${[String(status), code, ...places].join(' ')}\n${detail}`;
  });
  return Object.entries(names).reduce(
    (text, [name, value]) => text.replaceAll(value, name),
    lines.join('\n'),
  );
}

/** Words in capitals, as far as they are names. */
function inserted(text: string, names: Readonly<Record<string, string>>): string {
  return text.replace(/\b[A-Z]{3,}\b/g, (word) => names[word] ?? word);
}

/** `«x × 1,000»` stands for a thousand times `x`. */
function repeated(text: string): string {
  return text.replace(/«(.*?) × ([\d,]+)»/g, (_, part: string, times: string) =>
    part.repeat(Number(times.replaceAll(',', ''))),
  );
}
