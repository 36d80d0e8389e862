/** What the operator's command does with all that an application holds: options, and what it says. */
import { printKey } from '../commands/applications.ts';
import { command, counted, serviceAt, type Command } from '../commands/command.ts';
import { Failure } from '../failure.ts';
import { convert, discard } from './elsewhere/convert.ts';
import type { Mapping } from './elsewhere/record.ts';
import { exportApplication } from './export.ts';
import { nameAt } from '../../src/modules/applications/backups/names.ts';
import { backUp, chosen, withBackup } from './backups.ts';
import { applicationIn, importFile, type ImportOptions } from './import.ts';
import { Progress } from './progress.ts';
import type { Service } from './service.ts';
import { toFile, toOutput } from './targets.ts';
import { usageText } from './usage.ts';

const [TEXT, TEXTS, FLAG] = [
  { type: 'string' },
  { type: 'string', multiple: true },
  { type: 'boolean' },
] as const;
const URL_ALONE = { url: TEXT } as const;
const OF_TYPE = { ...URL_ALONE, type: TEXT } as const;
const MAPPING = { from: TEXT, as: TEXTS, owner: TEXT, rename: TEXTS, link: TEXTS } as const;
const IMPORT = { ...OF_TYPE, ...MAPPING, placement: TEXT, into: TEXT, id: TEXT, unchecked: FLAG } as const;

export const TRANSFERS: Readonly<Record<string, Command>> = {
  usage: command(
    '<id>',
    'prints what an application uses, by type and by API key',
    URL_ALONE,
    async ({ values, word }) => {
      const id = word(0, 'an id');
      console.log(usageText(await serviceAt(values.url).usage(id)));
    },
  ),
  export: command(
    '<id> [file] [--type <type>] [--tokens] [--history]',
    `writes all stored data of an application, or one type, as lines of JSON; with a file (compressed if its name ends
    in .gz) an interrupted export continues; --tokens keeps users logged in after the import; --history adds former
    versions`,
    { ...OF_TYPE, tokens: FLAG, history: FLAG },
    async ({ values, word, words }) => {
      const id = word(0, 'an id');
      const file = words[1];
      const service = serviceAt(values.url);
      const { type = null, tokens = false, history = false } = values;
      const request = { application: id, type, tokens, history };
      const target =
        file === undefined ? toOutput(process.stdout) : await toFile(file, service.base, request);
      const lines = await exportApplication(service, request, target, new Progress(process.stderr));
      console.error(`${counted(lines)} documents${history ? ', versions' : ''} and deletions`);
    },
  ),
  import: command(
    `<file> [--into <id> | --placement <placement>] [--type <type>] [--id <field>] [--link
    <field>=<type>] [--rename <old>=<new>] [--from <service>] [--as <theirs>=<type>] [--owner <field>]
    [--unchecked]`,
    `stores an export in the application that the file names, in another one (--into), or in a new one (--placement);
    --type makes documents of JSON, CSV and files of mongoexport, Parse and Firebase: --link makes links of a field,
    --id makes ids of a field; --from parse, pocketbase, mongodb, firestore or jsonl stores a whole export of that
    service: --as renames a type, --owner names the field with the owner`,
    IMPORT,
    async ({ values, word }) => {
      const file = word(0, 'a file');
      const { into = null, placement } = values;
      if (into !== null && placement !== undefined) {
        throw new Failure('--placement makes another application: leave --into out.');
      }
      const service = serviceAt(values.url);
      const names = pairsOf('rename', values.rename);
      const links = pairsOf('link', values.link);
      if (values.from !== undefined) {
        const mapping = { types: pairsOf('as', values.as), names, links, owner: values.owner ?? null };
        await importFrom(service, values.from, { file, into, mapping, checked: values.unchecked !== true });
        return;
      }
      const options = {
        file,
        into: placement === undefined ? into : await makeFor(service, file, placement),
        type: values.type ?? null,
        checked: values.unchecked !== true,
        names,
        links,
        id: values.id,
      };
      await importAndTell(service, options);
    },
  ),
};

export const BACKUPS: Readonly<Record<string, Command>> = {
  backup: command(
    '<id> [--history]',
    `makes a backup of an application in the bucket of the service; --history adds former versions of documents`,
    { ...URL_ALONE, history: FLAG },
    async ({ values, word }) => {
      const id = word(0, 'an id');
      const progress = new Progress(process.stderr);
      const { history = false } = values;
      const { name, lines } = await backUp(serviceAt(values.url), id, history, progress);
      console.log(`${name}  ${counted(lines)} documents${history ? ', versions' : ''} and deletions`);
    },
  ),
  backups: command('<id>', 'lists the backups of an application', URL_ALONE, async ({ values, word }) => {
    const id = word(0, 'an id');
    for (const { name, bytes } of await serviceAt(values.url).backups(id)) {
      console.log(`${name}  ${counted(bytes).padStart(16)}`);
    }
  }),
  rewind: command(
    '<id> --at <time>',
    'sets an application back to a time in the last 30 days; only on Cloudflare',
    { ...URL_ALONE, at: TEXT },
    async ({ values, word }) => {
      const id = word(0, 'an id');
      const at = Date.parse(values.at ?? '');
      if (Number.isNaN(at)) throw new Failure('--at takes a time such as 2026-11-22T03:17:00Z.');
      const before = nameAt(Date.now());
      const types = await serviceAt(values.url).rewind(id, nameAt(at));
      console.log(`${id}  is as it was at ${nameAt(at)}: ${counted(types)} types. Before, it was ${before}`);
    },
  ),
  restore: command(
    '<id> [--at <time> | --name <backup>] [--into <id>]',
    `stores a backup: the last one, the last one before --at, or the one with that --name; in its own application, or in
    another one (--into)`,
    { ...URL_ALONE, at: TEXT, name: TEXT, into: TEXT },
    async ({ values, word }) => {
      const id = word(0, 'an id');
      const service = serviceAt(values.url);
      const name = chosen(await service.backups(id), { at: values.at ?? null, name: values.name ?? null });
      console.error(`Backup ${name}`);
      // What was stored was valid when it was: schemas may be newer.
      const options = {
        into: values.into ?? null,
        type: null,
        checked: false,
        names: new Map<string, string>(),
      };
      await withBackup(service, id, name, (file) => importAndTell(service, { ...options, file }));
      const { restored, missing } = await service.restoreContents(options.into ?? id, id);
      if (restored + missing === 0) return;
      console.error(`${counted(restored)} contents of files restored, ${counted(missing)} are not there`);
      if (missing > 0) process.exitCode = 1;
    },
  ),
};

interface Elsewhere extends Pick<ImportOptions, 'file' | 'into' | 'checked'> {
  readonly mapping: Mapping;
}

/** Imports an export of another service. Its lines stay where some were refused: the messages number them. */
async function importFrom(service: Service, from: string, { mapping, ...asked }: Elsewhere): Promise<void> {
  if (asked.into === null) throw new Failure('Name the application that takes it with --into.');
  const file = await convert(asked.file, from, mapping);
  try {
    await importAndTell(service, { ...asked, file, type: null, names: new Map() });
  } finally {
    if (process.exitCode === 1) console.error(`The lines are those of ${file}`);
    else discard(file);
  }
}

/** Makes an application as a file says, elsewhere; prints it with its key, and returns its id. */
async function makeFor(service: Service, file: string, placement: string): Promise<string> {
  const { name, ...more } = await applicationIn(file);
  const made = await service.create(String(name), placement, more);
  printKey(made);
  return made.id;
}

async function importAndTell(service: Service, options: ImportOptions): Promise<void> {
  const progress = new Progress(process.stderr);
  const report = await importFile(service, options, progress, (line, reason) => {
    progress.end();
    console.error(`line ${line}: ${reason}`);
  });
  const { stored, unchanged, refused, heldBack, whole } = report;
  console.error(
    `${counted(stored)} documents and deletions stored, ${counted(unchanged)} were there already`,
  );
  if (refused > 0) {
    console.error(
      `${counted(refused)} refused, ${counted(heldBack)} held back with them: mend them and import again`,
    );
  }
  if (!whole) console.error('The file has no end: the export was cut off.');
  if (refused > 0 || !whole) process.exitCode = 1;
}

const FORMS: Readonly<Record<string, string>> = { link: '<field>=<type>', as: '<theirs>=<type>' };

function pairsOf(option: string, texts: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const [, before, after] = /^([^=]+)=(.+)$/.exec(text) ?? [];
      const form = FORMS[option] ?? '<old>=<new>';
      if (before === undefined || after === undefined) throw new Failure(`--${option} takes ${form}.`);
      return [before, after];
    }),
  );
}
