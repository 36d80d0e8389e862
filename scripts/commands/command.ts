/** A command of the table in app.ts: what it takes, says of itself, and does. One parser reads them all. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { filesOf, readStrings } from '../data-folder.ts';
import { Failure } from '../failure.ts';
import { PROGRAM, START } from '../program.ts';
import { readOperatorSecret } from '../secrets.ts';
import { dataFolder, serviceUrl } from '../settings.ts';
import { Service } from '../transfer/service.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

type Values<O extends Options> = ReturnType<typeof parseArgs<{ readonly options: O }>>['values'];

/** What was typed. */
export interface Given<O extends Options = Options> {
  readonly values: Values<O>;
  readonly words: readonly string[];
  /** The word at a place; a failure says what the command needs there. */
  readonly word: (at: number, what: string) => string;
}

export interface Command {
  /** What is typed after its name: `<id> [--yes]`. */
  readonly takes: string;
  readonly says: string;
  readonly run: (args: readonly string[]) => Promise<void>;
}

const HOW = `${PROGRAM} without a command tells how it is used.`;

export function command<const O extends Options>(
  takes: string,
  says: string,
  options: O,
  run: (given: Given<O>) => Promise<void>,
): Command {
  return { takes, says, run: (args) => run(read(args, options)) };
}

function read<const O extends Options>(args: readonly string[], options: O): Given<O> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const word = (at: number, what: string) => {
      const found = positionals[at] ?? '';
      if (found === '') throw new Failure(`The command needs ${what}. ${HOW}`);
      return found;
    };
    return { values, words: positionals, word };
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : String(error)}\n\n${HOW}`, {
      cause: error,
    });
  }
}

/** The operator's endpoints of a service: of that which the environment names, or that runs on the data folder. */
export function serviceAt(url = baseUrl()): Service {
  const secret = readOperatorSecret(dataFolder()) ?? missing('OPERATOR_SECRET');
  return new Service(url, secret);
}

function baseUrl(): string {
  const { credentials } = filesOf(dataFolder());
  return serviceUrl() ?? readStrings(credentials, ['base_url'])?.base_url ?? missing('FOREDGE_URL');
}

function missing(variable: string): never {
  throw new Failure(`Set ${variable}, or start a server here with ${START}.`);
}

export function counted(count: number): string {
  return count.toLocaleString('en');
}

/** Columns of the usage: where what a command says begins, and a line of it. */
const INDENT = 23;
const LINE = new RegExp(`\\S.{0,${118 - INDENT - 1}}(?= |$)`, 'g');

/** Commands with what they say, by the titles of their groups. */
export function usage(groups: Readonly<Record<string, Readonly<Record<string, Command>>>>): string {
  const parts = Object.entries(groups).map(([title, commands]) => {
    const entries = Object.entries(commands).map(([name, { takes, says }]) => {
      const head = `  ${name} ${takes.replaceAll(/\s+/g, ' ')}`.trimEnd();
      const text = wrapped(says).join(`\n${' '.repeat(INDENT)}`);
      const gap = head.length < INDENT - 1 ? ' '.repeat(INDENT - head.length) : `\n${' '.repeat(INDENT)}`;
      return `${head}${gap}${text}`;
    });
    return `${title}:\n\n${entries.join('\n')}`;
  });
  return `Usage: ${PROGRAM} <command>\n\n${parts.join('\n\n')}`;
}

function wrapped(text: string): readonly string[] {
  return text.replaceAll(/\s+/g, ' ').match(LINE) ?? [];
}
