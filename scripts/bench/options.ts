/** The command line of a run. */
import { parseArgs } from 'node:util';
import { CONTENDERS, WORK_NAMES, WORKS, type ContenderName, type WorkName } from './contender.ts';

export interface Options {
  readonly sizes: readonly number[];
  readonly contenders: readonly ContenderName[];
  readonly works: readonly WorkName[];
  readonly connections: number;
  readonly rounds: number;
  readonly milliseconds: number;
  readonly write: boolean;
  /** The run in little memory instead of the others. */
  readonly memory: boolean;
  /** The run with contents of files instead of the others. */
  readonly files: boolean;
  /** The run with streams of changes instead of the others: how many; null for none. */
  readonly live: number | null;
  /** The run with a history instead of the others: how many versions of each document; null for none. */
  readonly history: number | null;
  /** The run with rules over linked documents instead of the others: how many channels; null for none. */
  readonly rules: number | null;
  /** Every contender, work and usual size. */
  readonly complete: boolean;
}

const USUAL_SIZES = [10_000, 100_000] as const;
export const FULL_SIZE = 1_000_000;

export const USAGE = `Usage: npm run bench -- [options]

  --size <number>        documents; may be given several times (default: ${USUAL_SIZES.join(' and ')})
  --full                 ${FULL_SIZE} documents as well, without peers
  --only <names>         of ${Object.keys(CONTENDERS).join(', ')}
  --no-peers             Foredge, the floor and the works by hand only
  --works <names>        of ${WORK_NAMES.join(', ')}
  --connections <number> at a time (default: 16)
  --rounds <number>      measurements of each work in turn (default: 2)
  --seconds <number>     of each measurement (default: 2)
  --memory               every operation over ${FULL_SIZE} documents, or --size, in a runtime with a small heap
  --files                contents of files up and down, beside the bare bucket and files on disk
  --live <streams>       what writes take while so many streams are told of them
  --history <versions>   what a type with so many versions of each of --size documents takes, beside one without
  --rules <channels>     works under rules that see linked documents, beside the same without
  --write                writes docs/benchmarks.md also when the run was not complete`;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      size: { type: 'string', multiple: true },
      full: { type: 'boolean', default: false },
      only: { type: 'string' },
      'no-peers': { type: 'boolean', default: false },
      works: { type: 'string' },
      connections: { type: 'string', default: '16' },
      rounds: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '2' },
      memory: { type: 'boolean', default: false },
      files: { type: 'boolean', default: false },
      live: { type: 'string' },
      history: { type: 'string' },
      rules: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const usualSizes = values.memory ? [FULL_SIZE] : USUAL_SIZES;
  const usual = values.size === undefined ? usualSizes : values.size.map((text) => sizeOf(text));
  const all = Object.keys(CONTENDERS).filter(isContender);
  const peerless: readonly ContenderName[] = ['ours', 'floor', 'hand'];
  const chosen = values.only === undefined ? all : listOf(values.only, isContender, 'contender');
  const contenders = values['no-peers'] ? chosen.filter((name) => peerless.includes(name)) : chosen;
  const works = values.works === undefined ? WORK_NAMES : listOf(values.works, isWork, 'work');
  return {
    sizes: values.full ? [...usual.filter((size) => size !== FULL_SIZE), FULL_SIZE] : usual,
    contenders,
    works,
    connections: numberOf(values.connections),
    rounds: numberOf(values.rounds),
    milliseconds: numberOf(values.seconds) * 1000,
    write: values.write,
    memory: values.memory,
    files: values.files,
    live: values.live === undefined ? null : numberOf(values.live),
    history: values.history === undefined ? null : numberOf(values.history),
    rules: values.rules === undefined ? null : numberOf(values.rules),
    complete:
      values.size === undefined && contenders.length === all.length && works.length === WORK_NAMES.length,
  };
}

/** Sizes are thousands: shares of them are whole numbers then. */
function sizeOf(text: string): number {
  const size = numberOf(text);
  const power = Math.log10(size);
  if (size < 1000 || !Number.isInteger(power))
    throw new Error(`A size is a power of ten from 1000, not ${text}.`);
  return size;
}

function numberOf(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${text} is no number above 0.`);
  return number;
}

function listOf<Name extends string>(text: string, is: (name: string) => name is Name, what: string): Name[] {
  return text.split(',').map((name) => {
    if (!is(name)) throw new Error(`There is no ${what} ${name}.`);
    return name;
  });
}

function isContender(name: string): name is ContenderName {
  return Object.hasOwn(CONTENDERS, name);
}

function isWork(name: string): name is WorkName {
  return Object.hasOwn(WORKS, name);
}
