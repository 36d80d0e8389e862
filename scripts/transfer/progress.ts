/** A bar on a terminal: how far a long command has come. Nothing is written where nobody looks. */
const WIDTH = 24;

/** Milliseconds between two looks. */
const PACE = 100;

export class Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #started = performance.now();
  #last = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** `share`: from 0 to 1. `count`: what has been done, for its pace. */
  show(what: string, share: number, count: number): void {
    const now = performance.now();
    if (!this.#stream.isTTY || now - this.#last < PACE) return;
    this.#last = now;
    const done = Math.round(Math.min(1, share) * WIDTH);
    const bar = `${'█'.repeat(done)}${'·'.repeat(WIDTH - done)}`;
    const pace = Math.round(count / Math.max(0.001, (now - this.#started) / 1000));
    const numbers = `${count.toLocaleString('en')} documents, ${pace.toLocaleString('en')} a second`;
    this.#stream.write(
      `\r\u001b[K${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${numbers}  ${what}`,
    );
  }

  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\u001b[K');
  }
}
