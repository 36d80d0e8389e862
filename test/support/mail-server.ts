/** A mail server over TLS, which wants a login, and keeps what it is sent. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export const USER = 'shop@example.com';
/** It has what addresses must escape. */
export const PASSWORD = 'p@ss:/w%rd ü';

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** The mail as it came, with its dots. */
  readonly text: string;
}

/** A certificate of `localhost` that nobody else has signed. */
export const CERTIFICATE = makeCertificate();

// Miniflare looks once, when it is loaded, whom the runtime trusts: this module is imported before it.
process.env['NODE_EXTRA_CA_CERTS'] = CERTIFICATE.file;

function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'foredge-mail-'));
  const file = join(folder, 'cert.pem');
  const keyFile = join(folder, 'key.pem');
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', keyFile, '-out', file];
  execFileSync('openssl', ['req', '-x509', ...made, ...names], { stdio: 'ignore' });
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  return { file, cert: readFileSync(file, 'utf8'), key: readFileSync(keyFile, 'utf8'), remove };
}

export class MailServer {
  readonly received: Received[] = [];
  readonly #server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      ...options,
      onAuth: ({ username, password }, _, done) => {
        if (username === USER && password === PASSWORD) done(null, { user: USER });
        else done(new Error(`No ${String(password)} here`));
      },
      onRcptTo: ({ address }, _, done) => {
        done(address.startsWith('nobody@') ? new Error('No such mailbox') : null);
      },
      onData: (stream, { envelope }, done) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        void textOf(stream).then((text) => {
          this.received.push({ from, to, text });
          done();
        });
      },
    });
    this.#server.on('error', () => undefined);
  }

  static async start(options: SMTPServerOptions): Promise<MailServer> {
    const server = new MailServer({ logger: false, ...options });
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server.server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(resolve);
    });
  }
}

/** The parts of a mail, and its headers with unfolded lines. */
export function readMail(text: string): { readonly head: string; readonly parts: readonly string[] } {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? '';
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`).slice(1, -1);
  const decoded = parts.map((part) => readBase64(part.split('\r\n\r\n')[1] ?? ''));
  return { head: head.replaceAll(/\r\n[ \t]/g, ' '), parts: decoded };
}

export function readBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.fromBase64(text));
}
