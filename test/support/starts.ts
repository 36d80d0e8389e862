/** Several runs of `npm start` on one folder and port, one after the other. All of them end with `end`. */
import { Client } from './client.ts';
import { freePort, start, temporaryFolder, type Started } from './started.ts';

export class Starts {
  readonly folder: string;
  readonly port: number;
  readonly #remove: () => void;
  readonly #running: Started[] = [];

  private constructor({ path, remove }: ReturnType<typeof temporaryFolder>, port: number) {
    this.folder = path;
    this.port = port;
    this.#remove = remove;
  }

  static async prepare(): Promise<Starts> {
    return new Starts(temporaryFolder(), await freePort());
  }

  async run(): Promise<Started> {
    const started = await start(this.folder, this.port);
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
