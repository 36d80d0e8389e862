/** The package, as `npm publish` would send it, installed beside another dependency into a folder with nothing else. */
import { execFile, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chromiumOptions } from './chromium.ts';
import { ROOT, Started, TERMINAL } from './started.ts';

/** npm reaches its registry by the certificates that this machine trusts, which services of tests do without. */
const ENVIRONMENT = { ...TERMINAL, PORT: '0', NODE_EXTRA_CA_CERTS: process.env['CA_CERTS_OF_NPM'] ?? '' };

export class Packed {
  readonly #folder: string;
  /** Where it is installed. */
  readonly shop: string;
  /** What `npm publish` would tell. */
  publication = '';
  readonly #servers: Started[] = [];
  readonly #others: Packed[] = [];

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.shop = join(folder, name);
  }

  static async pack(): Promise<Packed> {
    const packed = new Packed(mkdtempSync(join(tmpdir(), 'foredge-packed-')), 'shop');
    // A dry run asks nobody, so any token will do. It builds what is packed then.
    rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
    const dry = 'npm publish --dry-run --offline --loglevel=warn --//registry.npmjs.org/:_authToken=none';
    const { stdout, stderr } = await packed.#execute(dry, {}, ROOT);
    packed.publication = stdout + stderr;
    await packed.run(`npm pack --ignore-scripts --silent --pack-destination ${packed.#folder}`, {}, ROOT);
    await packed.#install();
    return packed;
  }

  /** The same in another folder, with packages as pnpm lays them out: each sees those alone that it names. */
  async another(name: string, installer = npmInstall('linked')): Promise<Packed> {
    const packed = new Packed(this.#folder, name);
    this.#others.push(packed);
    await packed.#install(installer);
    return packed;
  }

  async #install(installer = npmInstall('hoisted')): Promise<void> {
    // The runtime needs another version of it.
    this.write('package.json', '{"name": "shop", "type": "module", "dependencies": {"ws": "7.5.10"}}');
    await this.run(`${installer} ${this.tarball}`);
  }

  get tarball(): string {
    return join(this.#folder, readdirSync(this.#folder).find((name) => name.endsWith('.tgz')) ?? '');
  }

  /** What a command prints, run by somebody at a terminal, or as a script of the package; rejects where it fails. */
  async run(command: string, more: Readonly<Record<string, string>> = {}, cwd = this.shop): Promise<string> {
    return (await this.#execute(command, more, cwd)).stdout;
  }

  #execute(command: string, more: Readonly<Record<string, string>>, cwd: string) {
    const [program = '', ...args] = command.split(' ');
    // As npm's scripts find it: npx itself takes as long as what it runs.
    const PATH = `${join(cwd, 'node_modules/.bin')}${delimiter}${TERMINAL['PATH'] ?? ''}`;
    const options = { cwd, env: { ...ENVIRONMENT, PATH, ...more }, maxBuffer: 1 << 26 };
    return promisify(execFile)(program, args, options);
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

  /** The command of a package that is installed here, and is there as if it were installed there. */
  uses(name: string, command: string): string {
    const link = join(this.shop, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
    return `node ${join(link, command)}`;
  }

  async withChromium(testMatch: string): Promise<string> {
    const { executablePath, args, env } = await chromiumOptions();
    const use = { launchOptions: { executablePath, args, env } };
    const settings = { testMatch, reporter: 'line', timeout: 200_000, use };
    this.write('playwright.config.js', `export default ${JSON.stringify(settings)};`);
    return this.uses('@playwright/test', 'cli.js test');
  }

  /** Ends its servers, and removes the others with it. */
  async remove(): Promise<void> {
    const servers = [this, ...this.#others].flatMap((each) => each.#servers);
    await Promise.all(servers.map((server) => server.killAll()));
    rmSync(this.#folder, { recursive: true });
  }
}

const npmInstall = (strategy: string) =>
  `npm install --install-strategy=${strategy} --prefer-offline --no-audit --no-fund --loglevel=error`;

/** The command that compiles a file. */
export function compiling(file: string): string {
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const options = '--noEmit --strict --module nodenext --target es2024 --lib es2024,esnext,dom --types node';
  return `node ${compiler} ${options} --typeRoots ${join(ROOT, 'node_modules/@types')} ${file}`;
}
