/** Other tabs with the same store: they are told of changes, and one of all sends at a time. */

interface Channel {
  readonly postMessage: (message: string) => void;
  readonly close: () => void;
  onmessage: (() => void) | null;
}

/** What a browser has. Locks are there only for pages that came over TLS, or from this machine. */
interface Surroundings {
  readonly BroadcastChannel: new (name: string) => Channel;
  readonly navigator?: {
    readonly locks?: { readonly request: (name: string, work: () => Promise<void>) => Promise<void> };
  };
}

export class Tabs {
  readonly #name: string;
  readonly #channel: Channel;

  constructor(name: string, onChange: () => void) {
    const { BroadcastChannel: Opened } = globalThis as unknown as Surroundings;
    this.#name = name;
    this.#channel = new Opened(name);
    this.#channel.onmessage = onChange;
  }

  /** Does a work while no other tab does. Without locks two may send the same, which the service does once anyway. */
  alone(work: () => Promise<void>): Promise<void> {
    const { navigator } = globalThis as unknown as Surroundings;
    return navigator?.locks === undefined ? work() : navigator.locks.request(this.#name, work);
  }

  /** Tells other tabs that what is kept has changed. */
  notify(): void {
    this.#channel.postMessage('changed');
  }

  close(): void {
    this.#channel.close();
  }
}
