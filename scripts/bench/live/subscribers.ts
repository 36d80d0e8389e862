/** A thread that opens many streams, counts what they are told, and acknowledges it, so that the writer's need not. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSocket } from './socket.ts';

export interface Subscribing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** One stream each. */
  readonly paths: readonly string[];
}

/** Streams that are opened at a time, and events after which one is acknowledged. */
const AT_ONCE = 50;
const ACKNOWLEDGED = 400;

const { headers, paths, url } = workerData as Subscribing;
let told = 0;

async function open(path: string): Promise<void> {
  let unheard = 0;
  const { promise, resolve, reject } = Promise.withResolvers<null>();
  let isReady = false;
  const socket = await openSocket(url, path, headers, {
    text: (read) => {
      if (!isReady) {
        isReady = read().includes('"event":"ready"');
        if (isReady) resolve(null);
        return;
      }
      told += 1;
      unheard += 1;
      if (unheard < ACKNOWLEDGED) return;
      unheard = 0;
      socket.send('{"op":"ack"}');
    },
    close: (code) => {
      reject(new Error(`A stream was closed: ${code}.`));
    },
  });
  await promise;
}

for (let at = 0; at < paths.length; at += AT_ONCE) await Promise.all(paths.slice(at, at + AT_ONCE).map(open));
// Each question is answered with the number of events so far.
parentPort?.on('message', () => parentPort?.postMessage(told));
parentPort?.postMessage(0);
