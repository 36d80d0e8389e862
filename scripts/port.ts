/** The address to serve on: its name, and whether it is taken, without taking it (another start may be about to). */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Failure } from './failure.ts';
import { START } from './program.ts';

/** The address by which this machine reaches what listens on a host. */
export function ownAddress(host: string): string {
  return { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
}

/** True when something listens there. */
export async function isTaken(host: string, port: number): Promise<boolean> {
  const socket = connect(port, ownAddress(host));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export function takenPort(port: number): Failure {
  const other = port < 65_535 ? port + 1 : 8787;
  return new Failure(`Port ${port} is in use. Choose another port: PORT=${other} ${START}`);
}
