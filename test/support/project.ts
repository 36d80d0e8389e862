/** A project in a folder of its own, for an application of the service under test. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { changesBetween, changeText, type Change } from '../../scripts/project/changes.ts';
import { dangersOf } from '../../scripts/project/effects.ts';
import { readProject } from '../../scripts/project/project.ts';
import { push } from '../../scripts/project/push.ts';
import { Remote } from '../../scripts/project/target.ts';
import { app } from './app.ts';
import { Client } from './client.ts';
import { may } from './people.ts';

export const READ = may('get', '/resources/books');
export const WRITE = may('post', '/resources/books');
export const TITLED = {
  properties: {
    attributes: { properties: { title: { type: 'string', minLength: 3 } }, required: ['title'] },
  },
};
export const WHOLE: Readonly<Record<string, unknown>> = {
  'types/books.json': { unique: [['slug']], schema: TITLED },
  'types/notes.json': '{ // Two schemas.\n  "schema": [true, { "type": "object" }]\n}',
  'aggregates/years.json': {
    'input-type': 'books',
    'output-type': 'agt.years',
    pipeline: [{ group: { id: '$year', born: { $min: { $date: '2020-01-01T00:00:00.000Z' } } } }],
  },
  'keys/page.json': { name: 'page', permissions: [{ ...READ, where: { year: { $gt: 1900 } } }] },
  'webhooks/sold.json': {
    name: 'sold',
    target: 'books',
    url: 'https://shop.example/sold',
    events: ['delete'],
  },
  'accounts.json': {
    name: 'Bookshop',
    groups: ['readers'],
    'return-to': ['https://shop.example/'],
    providers: [{ name: 'google', issuer: 'https://accounts.google.com', 'client-id': 'shop' }],
  },
  'mails/log-in.de.json': {
    name: 'log-in.de',
    subject: 'Anmelden bei {{name}}',
    text: 'Der Code ist {{code}}.',
    html: '<p>{{code}}</p>',
  },
};
export const ALL = [
  '+ settings of books',
  '+ schema of books',
  '+ schema of notes',
  '+ schema of notes (2)',
  '+ aggregate agt.years',
  '+ key page',
  '+ webhook sold',
  '+ mail log-in.de',
  '+ accounts of the application',
  '+ identity provider google',
];

/** One that goes with its test: to be asked for before each. */
export async function newProject(): Promise<TestProject> {
  const project = await TestProject.create();
  onTestFinished(() => {
    project.remove();
  });
  return project;
}

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

  writeAll(files: Readonly<Record<string, unknown>>): void {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
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

  /** The id of a new document at a path. */
  async make(path: string, attributes: object): Promise<string> {
    const type = path.split('/').at(-1);
    const made = await this.client.post(path, { data: { type, attributes } });
    if (made.status !== 201) throw new Error(made.text);
    return made.body.data.id;
  }

  async patch(path: string, attributes: object): Promise<void> {
    const [type, id] = path.split('/').slice(-2);
    const changed = await this.client.patch(path, { data: { type, id, attributes } });
    if (changed.status !== 200) throw new Error(changed.text);
  }

  /** The id of what has a name in the service. */
  async idOf(name: string): Promise<string> {
    return (await this.remote.stored()).find((each) => each.name === name)?.id ?? '';
  }
}
