/**
 * Strict serializability of lists of several types: clients read, change and change together documents of four types,
 * while calls between collections get lost, alarms come late, objects and the process end. What is not answered surely
 * is sent again with its key, until it is; so are some that were answered, and answer alike. Some order of the
 * operations, one after the other, must explain each history.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Link, Reply } from '../support/client.ts';
import { add, operate, update } from '../support/operations.ts';
import { FAULTS } from '../support/halts.ts';
import { HALTING, OwnService } from '../support/own-service.ts';
import { isLinearizable, type Model, type Operation } from './linearizable.ts';
import { Random } from './random.ts';
import type { Figures, Limits } from './run.ts';

const TYPES = ['a', 'b', 'c', 'd'] as const;
const CLIENTS = 4;
const OPERATIONS = 8;

/** The steps that fail, each in every way (halts.ts). */
const STEPS = [
  'prepare',
  'decide',
  'decided',
  'transact',
  'writeList',
  'reserveIds',
  'read',
  'list',
  'aggregate',
  'feed',
  'alarm',
] as const;

/** Of the one document that counts. */
const SUM = [{ group: { id: 'all', value: { $sum: '$value' } } }];

/** Histories that are recorded at once: most of their time is waiting. */
const TOGETHER = 4;

/** Amid one in so many histories, the process is killed. */
const KILLED = 8;

/** Milliseconds within which each request must be answered, however often it is sent. */
const PATIENCE = 60_000;

/**
 * Each value is written once, but for the first, which restores bring back. So a document is unchanged since a tag iff
 * it has the value that came with the tag, unless that was a first one.
 */
interface Request {
  /**
   * The first four read. `skew` writes the other document, if the first is as it was read; `noted` is a pair that links
   * what it adds to a third type.
   */
  readonly kind: 'read' | 'list' | 'aggregate' | 'feed' | 'patch' | 'restore' | 'pair' | 'noted' | 'skew';
  readonly at: number;
  /** The other document of a pair, and of a skew. */
  readonly other: number;
  readonly value: number;
  /** The value that the first document must have; null for any. */
  readonly seen: number | null;
}

const READS: ReadonlySet<Request['kind']> = new Set(['read', 'list', 'aggregate', 'feed']);

type State = readonly number[];

interface Output {
  readonly status: number;
  readonly value?: number;
}

const MODEL: Model<State, Request, Output> = {
  initial: TYPES.map((_, index) => -1 - index),
  keyOf: (state) => state.join(),
  step: (state, { kind, at, other, value, seen }, output) => {
    if (READS.has(kind)) return output.value === state[at] ? state : null;
    if (seen !== null && seen !== state[at]) return output.status === 412 ? state : null;
    if (output.status >= 300) return null;
    return state.map((each, index) => written({ kind, at, other, value }, index) ?? each);
  },
};

/** The value that a request gives a document; undefined where it gives none. */
function written({ kind, at, other, value }: Omit<Request, 'seen'>, index: number): number | undefined {
  if (index === other) return kind === 'patch' || kind === 'restore' ? undefined : value + 1;
  return index === at && kind !== 'skew' ? value : undefined;
}

/** Records and checks so many histories, fewer when time is over. `met` gets each step with a fault that occurred. */
export async function runTransactions({
  seed,
  count,
  until,
  met = new Set(),
}: Limits & { readonly count: number; readonly met?: Set<string> }): Promise<Figures> {
  const random = new Random(seed);
  const service = await OwnService.start({ entry: HALTING });
  const figures = { histories: 0, operations: 0, again: 0, alike: 0, kills: 0 };
  const world: World = { service, figures, killing: Promise.resolve(), calls: {} };
  let begun = 0;
  const recordAll = async (): Promise<void> => {
    while (begun < count && Date.now() < until) {
      const number = begun++;
      const history = await record(world, number, random.fork(number)).catch((error: unknown) => {
        throw new Error(`History ${number} of seed ${seed} has failed.`, { cause: error });
      });
      if (!isLinearizable(history, MODEL)) {
        const lines = history.map((each) => JSON.stringify(each)).join('\n');
        throw new Error(`History ${number} of seed ${seed} has no order:\n${lines}`);
      }
      figures.histories += 1;
      figures.operations += history.length;
    }
  };
  try {
    await disturb(world);
    await Promise.all(Array.from({ length: TOGETHER }, recordAll));
    for (const each of metBy(await service.calls())) met.add(each);
  } finally {
    await service.stop();
  }
  return {
    'Histories with lost calls and ended objects': figures.histories,
    'Operations, by 4 clients on documents of 4 types': figures.operations,
    'of them sent again': figures.again,
    'Writes sent again after their answer': figures.alike,
    'Processes killed': figures.kills,
  };
}

async function disturb({ service, calls }: World): Promise<void> {
  for (const step of STEPS) await service.halt(step, 'now-and-then', calls[step]);
}

/** Every step, with every fault. */
export const ALL_FAULTS: readonly string[] = STEPS.flatMap((step) => FAULTS.map((how) => `${step}: ${how}`));

/** Those that have occurred after so many calls of each step: every fifth call fails, in another way each time. */
function metBy(calls: World['calls']): readonly string[] {
  return STEPS.flatMap((step) =>
    FAULTS.slice(0, Math.floor(((calls[step] ?? 0) + 1) / 5)).map((how) => `${step}: ${how}`),
  );
}

/** What histories that are recorded at once have in common. */
interface World {
  readonly service: OwnService;
  readonly figures: { again: number; alike: number; kills: number };
  /** Resolves when the process runs again. */
  killing: Promise<void>;
  /** Of each step, in the processes before. */
  calls: Readonly<Record<string, number>>;
}

async function kill(world: World): Promise<void> {
  world.calls = await world.service.calls();
  await world.service.restart();
  await disturb(world);
  world.figures.kills += 1;
}

type History = readonly Operation<Request, Output>[];

async function record(world: World, number: number, random: Random): Promise<History> {
  const { service, figures } = world;
  const links: Link[] = [];
  const key = `history-${number}`;
  const surely = async (
    name: string,
    send: (client: Client, headers: Record<string, string>) => Promise<Reply>,
  ) => {
    const end = Date.now() + PATIENCE;
    while (Date.now() < end) {
      const reply = await send(service.client, { 'idempotency-key': `${key}-${name}` }).catch(gone);
      if (reply !== null && reply.status < 500 && reply.status !== 409) return reply;
      figures.again += 1;
    }
    throw new Error(`The request ${name} is not answered.`);
  };
  const isKilled = number % KILLED === KILLED - 1;
  for (const [index, value] of MODEL.initial.entries()) {
    const type = `${TYPES[index] ?? ''}${number}`;
    const settled = await surely(`settled-${type}`, (client, headers) =>
      client.create('/schemas/core.type', { attributes: { name: type, history: 'forever' } }, headers),
    );
    if (settled.status !== 201) throw new Error(settled.text);
    const made = await surely(`made-${type}`, (client, headers) =>
      client.create(`/resources/${type}`, { attributes: { value } }, headers),
    );
    if (made.status !== 201) throw new Error(made.text);
    links.push({ type, id: made.body.data.id });
    const output = { 'input-type': type, 'output-type': `agt.${type}`, pipeline: SUM };
    const defined = await surely(`defined-${type}`, (client, headers) =>
      client.create('/aggregates/core.aggregate', { attributes: output }, headers),
    );
    if (defined.status !== 201) throw new Error(defined.text);
  }
  const history: Operation<Request, Output>[] = [];
  let clock = 0;
  let values = 0;

  const act = async (choices: Random, actor: number): Promise<void> => {
    const seen = new Map<number, { readonly value: number; readonly tag: string }>();
    for (let turn = 0; turn < OPERATIONS; turn += 1) {
      if (isKilled && actor === 0 && turn === OPERATIONS / 2)
        await (world.killing = world.killing.then(() => kill(world)));
      const kind = choices.weighted({
        read: 5,
        list: 2,
        aggregate: 2,
        feed: 2,
        patch: 3,
        restore: 1,
        pair: 3,
        noted: 3,
        skew: 3,
      });
      const at = choices.below(TYPES.length);
      const other = (at + 1 + choices.below(TYPES.length - 1)) % TYPES.length;
      const isRestored = kind === 'restore';
      const known = isRestored || choices.below(3) === 0 ? undefined : seen.get(at);
      const value = isRestored ? (MODEL.initial[at] ?? 0) : (values += TYPES.length);
      const request = { kind, at, other, value, seen: known?.value ?? null };
      const invoked = ++clock;
      const ask = () =>
        surely(`${actor}-${turn}`, (client, headers) => send(client, links, request, headers, known?.tag));
      const reply = await ask();
      const found = valueOf(request, reply);
      const output = { status: reply.status, ...(found !== undefined && { value: found }) };
      history.push({ invoked, returned: ++clock, input: request, output });
      if (kind === 'read' && found !== undefined && found >= 0)
        seen.set(at, { value: found, tag: reply.etag });
      if (READS.has(kind) || reply.status >= 300 || choices.below(4) > 0) continue;
      const again = await ask();
      if (saidBy(again) !== saidBy(reply))
        throw new Error(`Sent again, it is answered otherwise: ${saidBy(again)}`);
      figures.alike += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => act(random.fork(index), index)));
  return history;
}

/** What an answer says, without the port and what tags know of it: that is another one after a kill. */
const saidBy = ({ status, text }: Reply) =>
  `${status} ${text.replaceAll(/http:\/\/[^/]+|"etag":"\\"[^"]*""/g, '')}`;

/** Of a request whose connection broke with the process. */
async function gone(error: unknown): Promise<null> {
  if (!(error instanceof TypeError)) throw error;
  await wait(50);
  return null;
}

function send(
  client: Client,
  links: readonly Link[],
  request: Request,
  headers: Record<string, string>,
  tag: string | undefined,
): Promise<Reply> {
  const { kind, at, value } = request;
  const linkAt = (index: number) => links[index] ?? { type: '', id: '' };
  const { type, id } = linkAt(at);
  const path = `/resources/${type}/${id}`;
  const condition = tag === undefined ? undefined : { 'if-match': tag };
  switch (kind) {
    case 'read':
      return client.get(path);
    case 'list':
      return client.get(`/resources/${type}`);
    case 'aggregate':
      return client.get(`/aggregates/agt.${type}`);
    case 'feed':
      return client.get(`/resources/${type}/changes?changes[since]=`);
    case 'restore':
      return client.post(`${path}/versions/1/restore`, undefined, headers);
    case 'patch':
      return operate(client, [update(linkAt(at), { value }, condition)], headers);
    case 'pair':
    case 'noted':
    case 'skew': {
      const test = { op: 'test', ref: linkAt(at), ...(condition && { meta: condition }) };
      const list = links.flatMap((link, index) => {
        const next = written(request, index);
        const meta = index === at ? condition : undefined;
        return next === undefined ? [] : [update(link, { value: next }, meta)];
      });
      const notes = kind === 'noted' ? noteOf(linkAt(at)) : [];
      return operate(client, kind === 'skew' ? [test, ...list] : [...list, ...notes], headers);
    }
  }
}

/** A document of another type, and one more that links to it. */
function noteOf({ type, id }: Link): readonly unknown[] {
  const lid = 'note';
  const about = { data: { type, id } };
  return [
    add(`${type}-notes`, {}, { about }, lid),
    add(`${type}-marks`, {}, { of: { data: { type: `${type}-notes`, lid } } }),
  ];
}

function valueOf({ kind }: Request, { body }: Reply): number | undefined {
  if (!READS.has(kind)) return undefined;
  const document = kind === 'read' ? body.data : body.data[0];
  return Number(document?.attributes?.['value']);
}
