/**
 * Follows a project: what is saved in its files is in the service that runs here a moment later, and so are the types for
 * the client. It asks nobody and refuses nothing: the service is the developer's own.
 */
import '../older-node.ts';
import { existsSync, mkdirSync, readFileSync, statSync, watch, writeFileSync, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { explain } from '../failure.ts';
import { checkedProject, declarationsOf } from './check.ts';
import { planOf, tellPlan } from './plan.ts';
import { CONFIGURATION, FOLDER, PARTS_OF_FOLDER, type Project } from './project.ts';
import { push } from './push.ts';
import { Remote } from './target.ts';

const TYPES = 'types.d.ts';
/** Milliseconds for which saved files wait for others: editors write one in several steps. */
const TOGETHER = 50;

/** What was wrong when the files were read last; served to the dashboard. */
export const followed: { fault: string | null } = { fault: null };

/** Pushes all, and then again whenever something is saved, until the process ends. */
export async function follow(root: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  const watched = new Watched(root, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // What is in a folder before it is watched is read now, and what comes later is told.
      watched.update();
      last = last.then(() => bring(root));
    }, TOGETHER);
  });
  watched.update();
  last = bring(root);
  await last;
}

/**
 * The folders of a project, each watched by itself: a file that editors put in the place of another is told so in every
 * Node, which a watch of all below one folder is not in Node 22.
 */
class Watched {
  readonly #folders: readonly string[];
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: number }>();
  readonly #saved: () => void;

  constructor(root: string, saved: () => void) {
    const folder = join(root, FOLDER);
    this.#folders = [root, folder, ...PARTS_OF_FOLDER.map((name) => join(folder, name))];
    this.#saved = saved;
  }

  /** Watches what is there now, and nothing else. */
  update(): void {
    for (const folder of this.#folders) {
      const inode = statSync(folder, { throwIfNoEntry: false })?.ino;
      const known = this.#watchers.get(folder);
      if (known?.inode === inode) continue;
      known?.watcher.close();
      this.#watchers.delete(folder);
      if (inode !== undefined) this.#watchers.set(folder, { inode, watcher: this.#watch(folder) });
    }
  }

  #watch(folder: string): FSWatcher {
    const [root] = this.#folders;
    const isOurs = (name: string | null) =>
      folder === root ? name === CONFIGURATION || name === FOLDER : name !== TYPES;
    return watch(folder, (_, name) => {
      if (isOurs(name)) this.#saved();
    }).on('error', (error) => {
      console.error(explain(error));
    });
  }
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
