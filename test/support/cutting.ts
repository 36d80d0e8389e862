/** A network that loses connections. */
import { connect, createServer } from 'node:net';
import { newServer } from './scope.ts';

/**
 * A way to the service that loses the connection after so many bytes that were sent over it, and again after so many
 * more; then it holds. It says where, until the test ends.
 */
export async function cutting(url: string, gaps: readonly number[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const next = gaps.values();
  const gap = () => next.next().value ?? Infinity;
  let left = gap();
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    const end = () => {
      client.destroy();
      service.destroy();
    };
    for (const socket of [client, service]) socket.on('error', end).on('close', end);
    service.pipe(client);
    client.on('data', (bytes: Buffer) => {
      const fits = bytes.length <= left;
      service.write(fits ? bytes : bytes.subarray(0, left), fits ? undefined : end);
      left = fits ? left - bytes.length : gap();
      if (!fits) client.removeAllListeners('data').resume();
    });
  });
  return (await newServer(server)).url;
}
