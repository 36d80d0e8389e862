/** The thread that checks documents against schemas. It answers one question after the other. */
import { BASE } from '../../../session/service.ts';
import type { Found, Question } from './worker.ts';

export class SchemaThread {
  readonly #worker = new Worker(`${BASE}/assets/dashboard-checker.js`, { type: 'module' });
  #fail: (cause: Error) => void = () => undefined;

  /** What takes longer than so many milliseconds is given up, and the thread with it. */
  check(question: Question, patience: number): Promise<Found> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const why =
          'The schema takes too long here: a pattern of it may be slow. The service bounds its own work.';
        this.end(why);
      }, patience);
      this.#fail = (cause) => {
        clearTimeout(timer);
        reject(cause);
      };
      this.#worker.onmessage = ({ data }: MessageEvent<Found>) => {
        clearTimeout(timer);
        resolve(data);
      };
      this.#worker.postMessage(question);
    });
  }

  end(why = 'It was stopped.'): void {
    this.#worker.terminate();
    this.#fail(new Error(why));
  }
}
