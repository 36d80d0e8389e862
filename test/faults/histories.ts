/**
 * Linearizability: a few clients read, change and delete the same few documents at the same time, and what they were
 * answered is recorded. Each history must be explained by the operations in some order, one after the other.
 */
import type { Client, Reply } from '../support/client.ts';
import { operate, update } from '../support/operations.ts';
import { isLinearizable, type Model, type Operation } from './linearizable.ts';
import { Random } from './random.ts';
import type { Figures, Limits } from './run.ts';

const DOCUMENTS = 3;
const CLIENTS = 4;
const OPERATIONS = 10;

/** Each value is written once, so a document is unchanged since a tag iff it has the value that came with the tag. */
type Input =
  | { readonly kind: 'read' | 'list' }
  | { readonly kind: 'patch'; readonly value: number; readonly seen: number | null }
  | { readonly kind: 'delete'; readonly seen: number | null }
  | { readonly kind: 'patch all'; readonly value: number };

type Request = Input & { readonly at: number };

/** Values of the documents; null for one that was deleted. */
type State = readonly (number | null)[];

interface Output {
  readonly status: number;
  /** What was read: of the document, or of all in a list. */
  readonly values?: State;
}

export const MODEL: Model<State, Request, Output> = {
  initial: Array.from({ length: DOCUMENTS }, (_, index) => -1 - index),
  keyOf: (state) => state.join(),
  step: (state, request, output) => {
    const [after, expected] = perform(state, request);
    const same =
      expected.status === output.status &&
      (expected.values === undefined || expected.values.join() === output.values?.join());
    return same ? after : null;
  },
};

/** What the request does when nothing else is under way. */
function perform(state: State, request: Request): readonly [State, Output] {
  const current = state[request.at] ?? null;
  switch (request.kind) {
    case 'read':
      return [state, { status: 200, values: [current] }];
    case 'list':
      return [state, { status: 200, values: state }];
    case 'patch':
    case 'delete': {
      if (request.seen !== null && request.seen !== current) return [state, { status: 412 }];
      if (current === null) return [state, { status: 404 }];
      const value = request.kind === 'patch' ? request.value : null;
      const after = state.map((each, index) => (index === request.at ? value : each));
      const status = request.kind === 'delete' || request.seen !== null ? 204 : 200;
      return [after, { status }];
    }
    case 'patch all':
      if (state.includes(null)) return [state, { status: 404 }];
      return [state.map((_, index) => request.value + index), { status: 204 }];
  }
}

type History = readonly Operation<Request, Output>[];

/** One history over documents of a new type. */
async function record(client: Client, type: string, random: Random): Promise<History> {
  const ids: string[] = [];
  for (const value of MODEL.initial) ids.push((await client.make(type, { value })).id);
  const history: Operation<Request, Output>[] = [];
  let clock = 0;
  let values = 0;

  const act = async (choices: Random): Promise<void> => {
    const seen = new Map<number, { readonly value: number; readonly tag: string }>();
    for (let turn = 0; turn < OPERATIONS; turn += 1) {
      const at = choices.below(DOCUMENTS);
      const known = choices.below(3) === 0 ? undefined : seen.get(at);
      const request = choose(choices, at, known?.value ?? null, (values += DOCUMENTS));
      const invoked = ++clock;
      const reply = await send(client, type, ids, request, known?.tag);
      const output = outputOf(request, ids, reply);
      history.push({ invoked, returned: ++clock, input: request, output });
      const [value] = request.kind === 'patch' ? [request.value] : (output.values ?? []);
      if ((request.kind === 'read' || request.kind === 'patch') && reply.status < 300 && value != null)
        seen.set(at, { value, tag: reply.etag });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => act(random.fork(index))));
  return history;
}

function choose(random: Random, at: number, seen: number | null, value: number): Request {
  const kind = random.weighted({ read: 6, list: 3, patch: 9, delete: 0.3, 'patch all': 1 });
  switch (kind) {
    case 'read':
    case 'list':
      return { kind, at };
    case 'patch':
      return { kind, at, value, seen };
    case 'delete':
      return { kind, at, seen };
    case 'patch all':
      return { kind, at, value };
  }
}

function send(
  client: Client,
  type: string,
  ids: readonly string[],
  request: Request,
  tag: string | undefined,
): Promise<Reply> {
  const id = ids[request.at] ?? '';
  const path = `/resources/${type}/${id}`;
  const headers = 'seen' in request && request.seen !== null ? { 'if-match': tag ?? '' } : {};
  switch (request.kind) {
    case 'read':
      return client.get(path);
    case 'list':
      return client.get(`/resources/${type}`);
    case 'patch':
      return client.patch(path, { data: { type, id, attributes: { value: request.value } } }, headers);
    case 'delete':
      return client.delete(path, undefined, headers);
    case 'patch all':
      return operate(
        client,
        ids.map((each, index) => update({ type, id: each }, { value: request.value + index })),
      );
  }
}

function outputOf({ kind }: Request, ids: readonly string[], { status, body }: Reply): Output {
  if (status !== 200) return { status };
  if (kind === 'read') return { status, values: [valueOf(body.data)] };
  // A list of operations answers with documents that the request did not want to know.
  if (kind === 'patch all') return { status: 204 };
  if (kind !== 'list') return { status };
  const byId = new Map(body.data.map((each) => [each.id, valueOf(each)]));
  // A count that differs from the page is none of any moment.
  const values = body.meta.count === byId.size ? ids.map((id) => byId.get(id) ?? null) : [NaN];
  return { status, values };
}

function valueOf(
  document: { readonly attributes?: Readonly<Record<string, unknown>> } | null,
): number | null {
  const value = document?.attributes?.['value'];
  return typeof value === 'number' ? value : null;
}

/** Records and checks so many histories, fewer when the time is over. */
export async function runHistories(
  client: Client,
  { seed, count, until }: Limits & { readonly count: number },
): Promise<Figures> {
  const random = new Random(seed);
  let histories = 0;
  let operations = 0;
  const statuses = new Map<number, number>();
  while (histories < count && Date.now() < until) {
    const history = await record(client, `register-${histories}`, random.fork(histories));
    if (!isLinearizable(history, MODEL)) {
      const lines = history.map((each) => JSON.stringify(each)).join('\n');
      throw new Error(`History ${histories} of seed ${seed} has no order that explains it:\n${lines}`);
    }
    histories += 1;
    operations += history.length;
    for (const { output } of history) statuses.set(output.status, (statuses.get(output.status) ?? 0) + 1);
  }
  return {
    Histories: histories,
    'Operations, by 4 clients on 3 documents': operations,
    'of them stale (412)': statuses.get(412) ?? 0,
  };
}
