/**
 * Follows a project: what is saved in its files is in the service that runs here a moment later, and so are the types for
 * the client. It asks nobody and refuses nothing: the service is the developer's own.
 */
import '../older-node.ts';
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain } from '../failure.ts';
import { checkedProject, declarationsOf } from './check.ts';
import { planOf, tellPlan } from './plan.ts';
import { CONFIGURATION, FOLDER, type Project } from './project.ts';
import { push } from './push.ts';
import { Remote } from './target.ts';

const TYPES = 'types.d.ts';
/** Milliseconds for which saved files wait for others: editors write one in several steps. */
const TOGETHER = 50;

/** Pushes all, and then again whenever something is saved, until the process ends. */
export async function follow(root: string): Promise<void> {
  const folder = join(root, FOLDER);
  mkdirSync(folder, { recursive: true });
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  const saved = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last.then(() => bring(root));
    }, TOGETHER);
  };
  const watchers = [
    watch(folder, { recursive: true }, (_, name) => {
      if (name !== TYPES) saved();
    }),
    watch(root, (_, name) => {
      if (name === CONFIGURATION) saved();
    }),
  ];
  for (const watcher of watchers) {
    watcher.on('error', (error) => {
      console.error(explain(error));
    });
  }
  last = bring(root);
  await last;
}

/** Makes the service, and the types, as the files say; tells why not. */
async function bring(root: string): Promise<void> {
  try {
    const project = checkedProject(root);
    await writeTypes(project);
    const remote = Remote.here();
    const plan = await planOf(project, remote, false);
    tellPlan(remote, plan);
    await push(remote, plan);
  } catch (error) {
    console.error(explain(error));
  }
}

async function writeTypes(project: Project): Promise<void> {
  const path = join(project.root, FOLDER, TYPES);
  const { typesOf } = await import('../application-types.ts');
  const text = await typesOf(declarationsOf(project));
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
