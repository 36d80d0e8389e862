/** Whether a port of this machine is taken, found out without taking it: another start may be about to. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Failure } from './failure.ts';

/** True when something listens there. */
export async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
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
  return new Failure(`Port ${port} is in use. Choose another port: PORT=${other} npm start`);
}
