/** A service of a test's own, whose storage survives a restart: to test settings, crashes and what is held back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Operator } from '../../scripts/operator.ts';
import { Client } from './client.ts';
import { startRuntime, type Runtime, type RuntimeOptions } from '../../scripts/runtime.ts';
import { volatileFolder } from '../../scripts/room.ts';

export const SECRETS = { CREDENTIAL_SECRETS: `1:${'s'.repeat(40)}`, OPERATOR_SECRET: 'o'.repeat(40) };

/** A Worker of this folder in the place of the service's own. */
export const workerNamed = (name: string): string => join(import.meta.dirname, `${name}-worker.ts`);

/** The Worker that users run, with real hashes of passwords. */
export const SERVICE = join(import.meta.dirname, '../../src/index.ts');

/** The Worker whose calls of collections can be halted. */
export const HALTING = workerNamed('halting');

/** The Worker of the service that test files share. */
export const COMMON = join(import.meta.dirname, 'worker.ts');

export type OwnOptions = Partial<
  Pick<RuntimeOptions, 'backups' | 'entry' | 'freeBytes' | 'log' | 'secrets' | 'settings' | 'workerd'>
>;

/** A service whose calls and look-ups are counted: nothing is handed on in the background. */
export const counted = (settings: OwnOptions['settings'] = {}): OwnOptions => ({
  entry: COMMON,
  settings: { USAGE_DELAY: '0', ...settings },
});

export class OwnService {
  readonly folder: string;
  readonly #options: OwnOptions;
  #runtime: Runtime;
  /** A client with the first key of an application that the service has. */
  client: Client;

  private constructor(folder: string, options: OwnOptions, runtime: Runtime, client: Client) {
    this.folder = folder;
    this.#options = options;
    this.#runtime = runtime;
    this.client = client;
  }

  static async start(options: OwnOptions = {}): Promise<OwnService> {
    const folder = mkdtempSync(join(volatileFolder(), 'foredge-own-'));
    const runtime = await run(folder, options);
    const service = new OwnService(folder, options, runtime, new Client(runtime.url, '', ''));
    await service.renew();
    return service;
  }

  /** Another application on the same service, whose client takes the place of the one before. */
  async renew(): Promise<Client> {
    return (this.client = await this.newClient());
  }

  /** Another application on the same service. */
  async newClient(name = 'own'): Promise<Client> {
    const { id, apiKey } = await this.operator.create(name);
    return new Client(this.url, id, apiKey);
  }

  get operator(): Operator {
    return new Operator(this.url, (this.#options.secrets ?? SECRETS).OPERATOR_SECRET);
  }

  get url(): string {
    return this.#runtime.url;
  }

  /**
   * The process ends, and another starts on the same storage: with other settings or secrets, if they are given, after
   * what is to be done meanwhile.
   */
  async restart(
    settings = this.#options.settings,
    secrets = this.#options.secrets ?? SECRETS,
    meanwhile: () => void = () => undefined,
  ): Promise<void> {
    await this.#runtime.stop();
    meanwhile();
    this.#runtime = await run(this.folder, { ...this.#options, secrets, ...(settings && { settings }) });
    this.client = new Client(this.#runtime.url, this.client.application, this.client.key);
  }

  /** Does what the cron trigger starts. */
  scheduled(): Promise<void> {
    return this.#runtime.scheduled();
  }

  /** The object of a type sleeps, and wakes when something happens; its streams stay. */
  sleep(type: string): Promise<void> {
    return this.#runtime.sleep(`${this.client.application}/${type}`);
  }

  async stop(): Promise<void> {
    await this.#runtime.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Halts the calls of a method of collections, as `HALTING` says. */
  halt(
    method: string,
    how: 'hold' | 'hold-answer' | 'hold-next' | 'free' | 'free-own' | 'before' | 'after' | 'now-and-then',
    from = 0,
  ): Promise<Response> {
    return fetch(`${this.url}/test/halt?method=${method}&how=${how}&from=${from}`, { method: 'POST' });
  }

  /** How often each method was called that fails now and then. */
  async calls(): Promise<Readonly<Record<string, number>>> {
    return (await (await fetch(`${this.url}/test/calls`)).json()) as Readonly<Record<string, number>>;
  }

  /** The number of calls that are held back. */
  async held(): Promise<number> {
    return Number(await (await fetch(`${this.url}/test/waiting`)).text());
  }
}

function run(folder: string, options: OwnOptions): Promise<Runtime> {
  const standard = { entry: workerNamed('plain'), secrets: SECRETS, log: () => undefined };
  return startRuntime({ port: 0, data: folder, ...standard, ...options });
}
