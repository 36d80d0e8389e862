/** What the operator's command does with all that an application holds: options, and what it says. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { Failure } from '../failure.ts';
import { exportApplication } from './export.ts';
import { nameAt } from '../../src/modules/applications/backups/names.ts';
import { backUp, chosen, withBackup } from './backups.ts';
import { applicationIn, importFile, type ImportOptions } from './import.ts';
import { Progress } from './progress.ts';
import type { Service } from './service.ts';
import { toFile, toOutput } from './targets.ts';
import { usageText } from './usage.ts';

const HOW = 'npm run app without a command tells how it is used.';

type Command = (service: (url: string | undefined) => Service, args: readonly string[]) => Promise<void>;

export const TRANSFERS: Readonly<Record<string, Command>> = {
  usage: async (serviceAt, args) => {
    const { values, positionals } = optionsIn(args, URL_ALONE);
    const [id] = positionals;
    if (id === undefined) throw new Failure(`The command needs an id. ${HOW}`);
    console.log(usageText(await serviceAt(values.url).usage(id)));
  },
  export: async (serviceAt, args) => {
    const { values, positionals } = optionsIn(args, EXPORT);
    const [id, file] = positionals;
    if (id === undefined) throw new Failure(`The command needs an id. ${HOW}`);
    const application = id;
    const service = serviceAt(values.url);
    const request = { application, type: values.type ?? null, tokens: values.tokens === true };
    const target = file === undefined ? toOutput(process.stdout) : await toFile(file, service.base, request);
    const lines = await exportApplication(service, request, target, new Progress(process.stderr));
    console.error(`${counted(lines)} documents and deletions`);
  },
  import: async (serviceAt, args) => {
    const { values, positionals } = optionsIn(args, IMPORT);
    const [file] = positionals;
    if (file === undefined) throw new Failure(`The command needs a file. ${HOW}`);
    const { into = null, placement } = values;
    if (into !== null && placement !== undefined) {
      throw new Failure('--placement makes another application: leave --into out.');
    }
    const service = serviceAt(values.url);
    const options = {
      file,
      into: placement === undefined ? into : await makeFor(service, file, placement),
      type: values.type ?? null,
      checked: values.unchecked !== true,
      names: pairsOf('rename', values.rename),
      links: pairsOf('link', values.link),
      id: values.id,
    };
    await importAndTell(service, options);
  },
  backup: async (serviceAt, args) => {
    const { values, positionals } = optionsIn(args, URL_ALONE);
    const [id] = positionals;
    if (id === undefined) throw new Failure(`The command needs an id. ${HOW}`);
    const progress = new Progress(process.stderr);
    const { name, lines } = await backUp(serviceAt(values.url), id, progress);
    console.log(`${name}  ${counted(lines)} documents and deletions`);
  },
  backups: async (serviceAt, args) => {
    const { values, positionals } = optionsIn(args, URL_ALONE);
    const [id] = positionals;
    if (id === undefined) throw new Failure(`The command needs an id. ${HOW}`);
    for (const { name, bytes } of await serviceAt(values.url).backups(id)) {
      console.log(`${name}  ${counted(bytes).padStart(16)}`);
    }
  },
  rewind: async (serviceAt, args) => {
    const { values, positionals } = optionsIn(args, REWIND);
    const [id] = positionals;
    const at = Date.parse(values.at ?? '');
    if (id === undefined) throw new Failure(`The command needs an id. ${HOW}`);
    if (Number.isNaN(at)) throw new Failure('--at takes a time such as 2026-11-22T03:17:00Z.');
    const before = nameAt(Date.now());
    const types = await serviceAt(values.url).rewind(id, nameAt(at));
    console.log(`${id}  is as it was at ${nameAt(at)}: ${counted(types)} types. Before, it was ${before}`);
  },
  restore: async (serviceAt, args) => {
    const { values, positionals } = optionsIn(args, RESTORE);
    const [id] = positionals;
    if (id === undefined) throw new Failure(`The command needs an id. ${HOW}`);
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
};

/** Makes an application as a file says, elsewhere; prints it with its key, and returns its id. */
async function makeFor(service: Service, file: string, placement: string): Promise<string> {
  const { name, ...more } = await applicationIn(file);
  const made = await service.operator.create(String(name), placement, more);
  console.log(JSON.stringify({ application_id: made.id, api_key: made.apiKey }, null, 2));
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

const URL_ALONE = { url: { type: 'string' } } as const;
const REWIND = { ...URL_ALONE, at: { type: 'string' } } as const;
const RESTORE = {
  ...URL_ALONE,
  at: { type: 'string' },
  name: { type: 'string' },
  into: { type: 'string' },
} as const;
const OF_TYPE = { type: { type: 'string' }, url: { type: 'string' } } as const;
const EXPORT = { ...OF_TYPE, tokens: { type: 'boolean' } } as const;
const IMPORT = {
  ...OF_TYPE,
  placement: { type: 'string' },
  into: { type: 'string' },
  rename: { type: 'string', multiple: true },
  link: { type: 'string', multiple: true },
  id: { type: 'string' },
  unchecked: { type: 'boolean' },
} as const;

function optionsIn<const Options extends ParseArgsConfig['options']>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : String(error)}\n\n${HOW}`, {
      cause: error,
    });
  }
}

function pairsOf(option: string, texts: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const [, before, after] = /^([^=]+)=(.+)$/.exec(text) ?? [];
      const form = option === 'link' ? '<field>=<type>' : '<old>=<new>';
      if (before === undefined || after === undefined) throw new Failure(`--${option} takes ${form}.`);
      return [before, after];
    }),
  );
}

function counted(count: number): string {
  return count.toLocaleString('en');
}
