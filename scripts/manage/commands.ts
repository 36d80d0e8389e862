/** Commands on an application that change much at once: they tell what they will do, ask, and can be repeated. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { Failure } from '../failure.ts';
import type { Operator } from '../operator.ts';
import { confirm } from './question.ts';

type Command = (operator: Operator, args: readonly string[]) => Promise<void>;

const YES = { yes: { type: 'boolean' } } as const;

export const MANAGEMENT: Readonly<Record<string, Command>> = {
  delete: async (operator, args) => {
    const { values, positionals } = optionsIn(args, { ...YES, now: { type: 'boolean' } });
    const id = given(positionals, 0, 'an id');
    const { name } = await operator.application(id);
    const isNow = values.now === true;
    if (values.yes !== true) {
      const how = isNow ? 'at once, and nobody can have it back' : 'and all of its keys end at once';
      await confirm(name, `The application ${name} (${id}) is deleted with everything in it, ${how}.`);
    }
    if (isNow) {
      await operator.delete(id);
      console.log(`${id}  deleted`);
    } else {
      const ends = await operator.end(id);
      console.log(`${id}  is deleted at ${ends}; until then: npm run app -- undelete ${id}`);
    }
  },
  undelete: async (operator, args) => {
    const { positionals } = optionsIn(args, {});
    const id = given(positionals, 0, 'an id');
    await operator.keep(id);
    console.log(`${id}  is there again`);
  },
};

function optionsIn<const Options extends ParseArgsConfig['options']>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function given(positionals: readonly string[], at: number, what: string): string {
  const value = positionals[at];
  if (value === undefined || value === '') {
    throw new Failure(`The command needs ${what}. npm run app without a command tells how it is used.`);
  }
  return value;
}
