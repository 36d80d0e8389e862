import { decodedParts } from './decoding.ts';

/** The address of a mail server, as an operator writes it: `smtps://user:password@host:465`. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly secure: boolean;
  /** Null for no login. */
  readonly user: string | null;
  readonly password: string | null;
}

/** Undefined for what is none. Without TLS there is no login: whoever listens would have it. */
export function readSmtpServer(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  const secure = url?.protocol === 'smtps:';
  if (url === null || (!secure && url.protocol !== 'smtp:')) return undefined;
  if (url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    return undefined;
  const [user, password] = decodedParts([url.username, url.password]) ?? [];
  if (user === undefined || password === undefined || (!secure && user !== '')) return undefined;
  const hasLogin = user !== '';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 25) : Number(url.port),
    secure,
    user: hasLogin ? user : null,
    password: hasLogin ? password : null,
  };
}
