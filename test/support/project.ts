/** A project in a folder of its own, for an application of the service under test. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { changesBetween, changeText, type Change } from '../../scripts/project/changes.ts';
import { dangersOf } from '../../scripts/project/effects.ts';
import { readProject } from '../../scripts/project/project.ts';
import { push } from '../../scripts/project/push.ts';
import { Remote } from '../../scripts/project/target.ts';
import { app } from './app.ts';
import { Client } from './client.ts';

export class TestProject {
  readonly root = mkdtempSync(join(tmpdir(), 'foredge-project-'));
  readonly client: Client;
  readonly remote: Remote;

  constructor(client: Client) {
    const { url, application, key } = client;
    this.client = client;
    this.remote = new Remote('test', url, application, key, inject('operatorSecret'));
    this.write('foredge.json', { targets: { test: { url, application } } });
  }

  static async create(): Promise<TestProject> {
    return new TestProject(await Client.create());
  }

  /** A text is written as it is. */
  write(name: string, content: unknown): void {
    const path = join(this.root, name === 'foredge.json' ? '' : 'foredge', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }

  read(name: string): string {
    return readFileSync(join(this.root, 'foredge', name), 'utf8');
  }

  remove(name = ''): void {
    rmSync(join(this.root, name === '' ? '' : 'foredge', name), { recursive: true });
  }

  /** Runs a command, as somebody types it. */
  run(command: string, ...args: readonly string[]): Promise<string> {
    return app([command, ...args, '--project', this.root], '', { FOREDGE_KEY_TEST: this.client.key });
  }

  async changes(prune = false): Promise<readonly Change[]> {
    return changesBetween(readProject(this.root).declared, await this.remote.stored(), prune);
  }

  /** What would change, each in a line. */
  async diff(prune = false): Promise<readonly string[]> {
    return (await this.changes(prune)).map(changeText);
  }

  /** What the changes would mean: code and sentence. */
  async dangers(): Promise<readonly string[]> {
    const all: string[] = [];
    for (const change of await this.changes()) {
      for (const { code, says } of await dangersOf(this.remote, change)) all.push(`${code}: ${says}`);
    }
    return all;
  }

  async push(prune = false): Promise<void> {
    await push(this.remote, await this.changes(prune));
  }
}
