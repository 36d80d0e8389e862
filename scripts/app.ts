/** `npm run app -- …`, and `foredge …` as a package: the table of commands. */
import { offerOf, shownName } from '../src/domain/names.ts';
import { APPLICATIONS } from './commands/applications.ts';
import { usage, type Command } from './commands/command.ts';
import { orEnd } from './failure.ts';
import { MANAGEMENT } from './manage/commands.ts';
import { PROJECTS } from './project/commands.ts';
import { BACKUPS, TRANSFERS } from './transfer/commands.ts';

const GROUPS = {
  'A project: an application in the files of a folder (--project <folder>)': PROJECTS,
  Applications: { ...APPLICATIONS, ...MANAGEMENT },
  Data: TRANSFERS,
  Backups: BACKUPS,
};

const ENVIRONMENT = `Environment:

  FOREDGE_URL      the service (default: the one that runs on DATA_DIR, .foredge); --url replaces it
  OPERATOR_SECRET  the operator secret (default: that of DATA_DIR)`;

const [name = '', ...args] = process.argv.slice(2);
const commands = Object.assign({}, ...Object.values(GROUPS)) as Readonly<Record<string, Command>>;
const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
const isHelp = name === '--help' || name === 'help';
if (found === undefined) {
  if (name !== '' && !isHelp) {
    console.error(`There is no command ${shownName(name)}.${offerOf(name, Object.keys(commands))}\n`);
  }
  (isHelp ? console.log : console.error)(`${usage(GROUPS)}\n\n${ENVIRONMENT}`);
  process.exit(isHelp ? 0 : 2);
}
await orEnd(() => found.run(args));
