/** The package, as `npm publish` would send it, installed beside another dependency into a folder with nothing else. */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, Started, TERMINAL } from './started.ts';

const ENVIRONMENT = { ...TERMINAL, PORT: '0' };

export class Packed {
  readonly #folder: string;
  /** Where it is installed. */
  readonly shop: string;
  readonly #servers: Started[] = [];
  readonly #others: Packed[] = [];

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.shop = join(folder, name);
  }

  static async pack(): Promise<Packed> {
    const packed = new Packed(mkdtempSync(join(tmpdir(), 'foredge-packed-')), 'shop');
    await packed.run(`npm pack --silent --pack-destination ${packed.#folder}`, {}, ROOT);
    await packed.#install();
    return packed;
  }

  /** The same in another folder, with packages as pnpm lays them out: each sees those alone that it names. */
  async another(name: string): Promise<Packed> {
    const packed = new Packed(this.#folder, name);
    this.#others.push(packed);
    await packed.#install('linked');
    return packed;
  }

  async #install(strategy = 'hoisted'): Promise<void> {
    // The runtime needs another version of it.
    this.write('package.json', '{"name": "shop", "type": "module", "dependencies": {"ws": "7.5.10"}}');
    await this.run(
      `npm install --install-strategy=${strategy} --prefer-offline --no-audit --no-fund --silent ${this.tarball}`,
    );
  }

  get tarball(): string {
    return join(this.#folder, readdirSync(this.#folder).find((name) => name.endsWith('.tgz')) ?? '');
  }

  /** What a command prints, run by somebody at a terminal; rejects where it fails. */
  async run(command: string, more: Readonly<Record<string, string>> = {}, cwd = this.shop): Promise<string> {
    const [program = '', ...args] = command.split(' ');
    const options = { cwd, env: { ...ENVIRONMENT, ...more }, maxBuffer: 1 << 26 };
    return (await promisify(execFile)(program, args, options)).stdout;
  }

  /** Runs a command that serves, on a data folder of its own, and waits until it does. */
  async serve(command: 'start' | 'dev', data = '.foredge'): Promise<Started> {
    const folder = join(this.shop, data);
    const env = { ...ENVIRONMENT, DATA_DIR: folder };
    const child = spawn('npx', ['foredge', command], { cwd: this.shop, env, detached: true });
    const server = new Started(child, folder);
    this.#servers.push(server);
    if (await server.serves()) return server;
    throw new Error(server.output);
  }

  write(path: string, content: unknown): void {
    const file = join(this.shop, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  read(path: string): string {
    return readFileSync(join(this.shop, path), 'utf8');
  }

  /** Ends its servers, and removes the others with it. */
  async remove(): Promise<void> {
    const servers = [this, ...this.#others].flatMap((each) => each.#servers);
    await Promise.all(servers.map((server) => server.killAll()));
    rmSync(this.#folder, { recursive: true });
  }
}
