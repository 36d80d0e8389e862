/** `foredge dev` on a project of its own: the service, which follows the files that `init` has made. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client } from './client.ts';
import { TestProject } from './project.ts';
import { ROOT, Started, TERMINAL } from './started.ts';

export interface Followed {
  readonly project: TestProject;
  readonly dev: Started;
  /** With the key that permits everything. */
  readonly client: Client;
  readonly stop: () => Promise<void>;
}

export async function followed(): Promise<Followed> {
  const project = await TestProject.create();
  project.remove('../foredge.json');
  await project.run('init');
  const data = join(project.root, '.foredge');
  const child = spawn(process.execPath, [join(ROOT, 'scripts/app.ts'), 'dev', '--project', project.root], {
    cwd: ROOT,
    env: { ...TERMINAL, PORT: '0', DATA_DIR: data },
    detached: true,
  });
  const dev = new Started(child, data);
  if (!(await dev.serves())) throw new Error(dev.output);
  const { base_url: url, application_id: application, api_key: key } = dev.credentials;
  const stop = async () => {
    await dev.killAll();
    project.remove();
  };
  return { project, dev, client: new Client(url, application, key), stop };
}
