/**
 * Commands of a project: an application in a folder, and the same application on its targets. Each loads its own code:
 * what checks a project takes most of a second.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unknownName } from '../../src/domain/names.ts';
import { command, counted, type Command } from '../commands/command.ts';
import { Failure } from '../failure.ts';
import { refuse } from './files.ts';
import { CONFIGURATION, homeOf, readProject, type Project } from './project.ts';
import type { Remote } from './target.ts';

const PROJECT = { project: { type: 'string', default: '.' } } as const;
const TO = { ...PROJECT, to: { type: 'string', default: 'local' }, prune: { type: 'boolean' } } as const;

export const PROJECTS: Readonly<Record<string, Command>> = {
  init: command('', 'makes foredge.json and foredge/ with an example', PROJECT, async ({ values }) => {
    const { initialize } = await import('./init.ts');
    for (const path of initialize(values.project)) console.log(path);
  }),
  start: command('', 'serves on this machine, on DATA_DIR (.foredge)', {}, async () => {
    await import('../serve.ts');
  }),
  dev: command(
    '',
    `serves like start, pushes every file that you save (also what push refuses without --allow), and writes
    foredge/types.d.ts`,
    PROJECT,
    async ({ values }) => {
      // Whoever is in another folder learns it before a service is there.
      const { root } = readProject(values.project);
      // A request that fails here has told so already, and one of these commands is of no interest.
      process.env['LOG_PERCENT'] ??= '0';
      process.env['FOREDGE_DEV'] = 'yes';
      await import('../serve.ts');
      const { follow } = await import('./follow.ts');
      await follow(root);
    },
  ),
  check: command('', 'checks these files, without a service', PROJECT, async ({ values }) => {
    const { declared } = await checked(values.project);
    console.log(`Nothing is wrong: ${counted(new Set(declared.map(({ file }) => file)).size)} files.`);
  }),
  diff: command(
    '[--to <target>] [--prune] [--json] [--exit-code]',
    `shows what push would change, and the effects on stored documents and keys; with --exit-code it exits with 2 if
    there are changes`,
    { ...TO, json: { type: 'boolean' }, 'exit-code': { type: 'boolean' } },
    async ({ values }) => {
      const { jsonOf, printPlan } = await import('./plan.ts');
      const { remote, plan } = await planned(values);
      if (values.json === true) console.log(JSON.stringify(jsonOf(remote, plan), null, 2));
      else printPlan(remote, plan);
      if (values['exit-code'] === true && plan.length > 0) process.exitCode = 2;
    },
  ),
  push: command(
    '[--to <target>] [--prune] [--allow <danger>,…]',
    `makes all changes that the files describe, or none; --prune also deletes what has no file; needs --allow for
    changes that break documents (break), permit more or less (open, narrow) or delete something (delete)`,
    { ...TO, allow: { type: 'string' } },
    async ({ values }) => {
      const [{ DANGERS }, { printPlan }, { push }] = await Promise.all([
        import('./effects.ts'),
        import('./plan.ts'),
        import('./push.ts'),
      ]);
      const allowed = allowedIn(values.allow, DANGERS);
      const { remote, plan } = await planned(values);
      printPlan(remote, plan);
      const needed = DANGERS.filter(
        (code) =>
          !allowed.includes(code) && plan.some(({ dangers }) => dangers.some((each) => each.code === code)),
      );
      if (needed.length > 0) {
        const all = DANGERS.filter((code) => allowed.includes(code) || needed.includes(code));
        throw new Failure(`Nothing was pushed. To do it all the same: --allow ${all.join(',')}`);
      }
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.on(signal, () => {
          stop.abort();
        });
      await push(remote, plan, { stop: stop.signal });
      if (plan.length > 0) console.log(`Pushed to ${remote.name}.`);
    },
  ),
  pull: command(
    '[--from <target>] [--watch]',
    `writes the configuration of an application into these files; --watch goes on with later changes, and keeps files
    that you have changed`,
    { ...PROJECT, from: { type: 'string', default: 'local' }, watch: { type: 'boolean' } },
    async ({ values }) => {
      const { keepPulling, pull } = await import('./pull.ts');
      const root = homeOf(values.project);
      if (!existsSync(join(root, CONFIGURATION)))
        (await import('./init.ts')).initialize(root, [CONFIGURATION]);
      const project = readProject(root);
      refuse(project.faults);
      const remote = await remoteOf(project, values.from);
      if (values.watch === true) await keepPulling(root, remote, console.log);
      pull(project, await remote.stored(), console.log);
    },
  ),
  seed: command(
    '[--to <target>]',
    'stores the missing documents of foredge/seeds; needs the operator secret',
    { ...PROJECT, to: TO.to },
    async ({ values }) => {
      const { readSeeds, seed } = await import('./seeds.ts');
      const remote = await remoteOf(await checked(values.project), values.to);
      const { stored, of } = await seed(remote, readSeeds(values.project).seeds);
      console.log(`${counted(stored)} of ${counted(of)} documents stored, the others were there.`);
    },
  ),
  migrate: command(
    '[--to <target>] [--dry-run]',
    `runs each file of foredge/migrations once, in the order of the names, and continues an interrupted one; --dry-run
    counts the documents`,
    { ...PROJECT, to: TO.to, 'dry-run': { type: 'boolean' } },
    async ({ values }) => {
      const [{ countOf, doneText, migrate, pendingOf, pendingText }, { readMigrations }] = await Promise.all([
        import('./migrate.ts'),
        import('./migrations.ts'),
      ]);
      const remote = await remoteOf(await checked(values.project), values.to);
      const pending = await pendingOf(remote, readMigrations(values.project).migrations);
      if (pending.length === 0) console.log(`${remote.name}: every migration has run.`);
      for (const each of pending) {
        const text =
          values['dry-run'] === true
            ? pendingText(each, await countOf(remote, each))
            : doneText(each, await migrate(remote, each));
        console.log(text);
      }
    },
  ),
  deploy: command(
    '[--env <name>] [--dry-run]',
    `puts the service on Cloudflare, as wrangler.toml says; writes that file if it is missing`,
    { ...PROJECT, env: { type: 'string', default: '' }, 'dry-run': { type: 'boolean' } },
    async ({ values }) => {
      const { deploy } = await import('./deploy.ts');
      const dry = values['dry-run'] === true ? ['--dry-run'] : [];
      process.exitCode = deploy(values.project, [`--env=${values.env}`, ...dry]);
    },
  ),
};

async function planned(values: {
  readonly project: string;
  readonly to: string;
  readonly prune?: boolean | undefined;
}) {
  const { planOf } = await import('./plan.ts');
  const project = await checked(values.project);
  const remote = await remoteOf(project, values.to);
  return { remote, plan: await planOf(project, remote, values.prune === true) };
}

async function checked(root: string): Promise<Project> {
  const { checkedProject } = await import('./check.ts');
  return checkedProject(root);
}

async function remoteOf(project: Project, name: string): Promise<Remote> {
  const { Remote } = await import('./target.ts');
  return Remote.of(project, name);
}

function allowedIn(text: string | undefined, names: readonly string[]): readonly string[] {
  const words = (text ?? '').split(',').filter((word) => word !== '');
  const strange = words.find((word) => !names.includes(word));
  if (strange === undefined) return words;
  throw new Failure(unknownName(strange, { what: 'danger', names }));
}
