/** Several runs of the service, or of `npm start`, on one folder and port, one after the other. All end with `end`. */
import { Client } from './client.ts';
import {
  freePort,
  launch,
  SERVER,
  temporaryFolder,
  type Program,
  type Settings,
  type Started,
} from './started.ts';

export class Starts {
  readonly folder: string;
  readonly port: number;
  readonly #remove: () => void;
  readonly #program: Program;
  readonly #running: Started[] = [];

  private constructor({ path, remove }: ReturnType<typeof temporaryFolder>, port: number, program: Program) {
    this.folder = path;
    this.port = port;
    this.#remove = remove;
    this.#program = program;
  }

  static async prepare(program = SERVER): Promise<Starts> {
    return new Starts(temporaryFolder(), await freePort(), program);
  }

  async run(settings: Settings = {}): Promise<Started> {
    const started = this.launch(settings);
    if (await started.serves()) return started;
    throw new Error(`The server ended at once:\n${started.output}`);
  }

  /** Starts without waiting. */
  launch(settings: Settings = {}): Started {
    const started = launch(this.folder, this.port, settings, this.#program);
    this.#running.push(started);
    return started;
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map((each) => each.killAll()));
    this.#remove();
  }
}

/** A client of the first application, with its key. */
export function clientOf({ credentials }: Started): Client {
  return new Client(credentials.base_url, credentials.application_id, credentials.api_key);
}
