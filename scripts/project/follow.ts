/**
 * Follows a project: what is saved in its files is in the service that runs here a moment later, as are the types for
 * the client. It asks nobody and refuses nothing: the service is the developer's own.
 */
import '../older-node.ts';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from 'chokidar';
import { explain } from '../failure.ts';
import { checkedProject, declarationsOf } from './check.ts';
import { planOf, printPlan } from './plan.ts';
import { CONFIGURATION, FOLDER, type Project } from './project.ts';
import { push } from './push.ts';
import { Remote } from './target.ts';

const TYPES = 'types.d.ts';
/** Milliseconds for which saved files wait for others: editors write one in several steps. */
const TOGETHER = 50;

/** What was wrong when the files were read last; served to the dashboard. */
export const followed: { fault: string | null } = { fault: null };

/** Pushes all, and then again whenever something is saved, until the process ends. */
export async function follow(root: string): Promise<void> {
  const folder = join(root, FOLDER);
  const watched = watch([join(root, CONFIGURATION), folder], {
    ignoreInitial: true,
    ignored: (path) => path === join(folder, TYPES),
  });
  // What is saved from here on is told.
  await once(watched, 'ready');
  let timer: NodeJS.Timeout | undefined;
  let last = bring(root);
  watched
    .on('all', () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        last = last.then(() => bring(root));
      }, TOGETHER);
    })
    .on('error', (error) => {
      console.error(explain(error));
    });
  await last;
}

/** Makes the service, and the types, as the files say; tells why not. */
async function bring(root: string): Promise<void> {
  try {
    const project = checkedProject(root);
    await writeTypes(project);
    const remote = Remote.here();
    const plan = await planOf(project, remote, false);
    printPlan(remote, plan);
    await push(remote, plan);
    followed.fault = null;
  } catch (error) {
    followed.fault = explain(error);
    console.error(followed.fault);
  }
}

async function writeTypes(project: Project): Promise<void> {
  const path = join(project.root, FOLDER, TYPES);
  mkdirSync(join(project.root, FOLDER), { recursive: true });
  const { typesOf } = await import('../application-types.ts');
  const text = await typesOf(declarationsOf(project));
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
