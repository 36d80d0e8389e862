/** Servers of this machine that tests play the others with. */
import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export interface Listening {
  readonly url: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Opens a server on a free port. */
export async function listen(server: Server): Promise<Listening> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    // Sockets of others end with whoever holds their other end.
    if (!(server instanceof HttpServer)) return;
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, port, stop };
}
