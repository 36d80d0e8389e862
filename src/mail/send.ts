/** Sends a mail, by SMTP or by the platform, or keeps it without either. Only addresses are sent to, whoever asks. */
import { isMailAddress } from '../domain/addresses/mail.ts';
import { settingsOf } from '../domain/environment/settings.ts';
import { failed, type Mail, type SendResult } from './mail.ts';
import { connect } from 'cloudflare:sockets';
import type { SmtpServer } from '../domain/addresses/smtp.ts';

/** What the Worker has for mails, beside its settings. */
export interface MailEnvironment {
  /** Cloudflare's binding. */
  readonly MAIL?: SendEmail;
}

export async function sendMail(
  environment: MailEnvironment,
  mail: Mail,
  keep: (mail: Mail) => Promise<SendResult>,
): Promise<SendResult> {
  const wrong = [mail.to, mail.from].find((address) => !isMailAddress(address));
  if (wrong !== undefined) return failed('An address of the mail is none that mail is sent to.');
  const { mailbox, smtpUrl } = settingsOf(environment);
  try {
    if (smtpUrl !== null) return await sendBySmtp(smtpUrl, mail);
    if (environment.MAIL !== undefined) {
      await environment.MAIL.send({ ...mail });
      return { state: 'delivered' };
    }
    if (mailbox) return await keep(mail);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
  return failed('The service sends no mail: set SMTP_URL, the binding MAIL, or MAILBOX.');
}

/** Milliseconds that a mail may take. */
const LONGEST = 20_000;

/** Bytes of one answer of a server. */
const MOST = 65_536;

/**
 * By SMTP (RFC 5321), over TLS from the first byte (RFC 8314): nobody in between can take that away, as they can with
 * STARTTLS. Throws where the server is not there, or is none.
 */
async function sendBySmtp(server: SmtpServer, mail: Mail): Promise<SendResult> {
  const { host: hostname, port, secure } = server;
  const socket = connect(
    { hostname, port },
    { secureTransport: secure ? 'on' : 'off', allowHalfOpen: false },
  );
  // The end of a connection is told by what is read from it.
  socket.closed.catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<SendResult>((resolve) => {
    timer = setTimeout(() => {
      resolve(failed(`The mail server took longer than ${LONGEST / 1000} seconds.`));
    }, LONGEST);
  });
  try {
    return await Promise.race([late, new Conversation(socket).send(server, mail)]);
  } finally {
    clearTimeout(timer);
    await socket.close().catch(() => undefined);
  }
}

class Conversation {
  readonly #reader: ReadableStreamDefaultReader<unknown>;
  readonly #writer: WritableStreamDefaultWriter<unknown>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor({ readable, writable }: Socket) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
  }

  async send({ user, password }: SmtpServer, mail: Mail): Promise<SendResult> {
    const login = user === null ? [] : [['AUTH', `AUTH PLAIN ${plain(user, password ?? '')}`, 235] as const];
    const steps: readonly (readonly [string, string | null, number])[] = [
      ['the greeting', null, 220],
      ['EHLO', `EHLO ${domainOf(mail.from)}`, 250],
      ...login,
      ['MAIL', `MAIL FROM:<${mail.from}>`, 250],
      ['RCPT', `RCPT TO:<${mail.to}>`, 250],
      ['DATA', 'DATA', 354],
      ['the mail', `${stuffed(mimeOf(mail))}\r\n.`, 250],
    ];
    for (const [name, line, expected] of steps) {
      if (line !== null) await this.#write(line);
      const { code, text } = await this.#reply();
      // What a server says of a login may repeat it.
      const said = name === 'AUTH' ? String(code) : text;
      if (code === expected) continue;
      const refused = failed(`The mail server refused ${name}: ${said}`);
      // For good (RFC 5321, section 4.2.1), and this addressee alone.
      return name === 'RCPT' && code >= 500 ? { ...refused, isFinal: true } : refused;
    }
    // It has the mail: what becomes of the connection is no matter.
    await this.#write('QUIT').catch(() => undefined);
    return { state: 'delivered' };
  }

  async #write(line: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${line}\r\n`));
  }

  /** An answer of one line or more: the last one has no `-` behind its number. */
  async #reply() {
    for (;;) {
      const [whole, code, text = ''] = /^(?:\d{3}-.*\r?\n)*(\d{3})(?: (.*))?\r?\n/.exec(this.#text) ?? [];
      if (whole !== undefined) {
        this.#text = this.#text.slice(whole.length);
        return { code: Number(code), text: `${code ?? ''} ${text.slice(0, 200)}`.trim() };
      }
      const { done, value } = await this.#reader.read();
      if (done) throw new Error('The mail server has closed the connection.');
      if (value instanceof Uint8Array) this.#text += this.#decoder.decode(value, { stream: true });
      if (this.#text.length > MOST) throw new Error('The mail server says too much.');
    }
  }
}

function plain(user: string, password: string): string {
  return new TextEncoder().encode(`\0${user}\0${password}`).toBase64();
}

/** A line that is a dot alone ends a mail: so dots at the beginning of lines are doubled. */
function stuffed(text: string): string {
  return text.replaceAll(/^\./gm, '..');
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function mimeOf({ from, html, subject, text, to }: Mail): string {
  const id = crypto.randomUUID();
  const headers = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${encodedWords(subject)}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    'MIME-Version: 1.0',
    // No machine answers a machine (RFC 3834).
    'Auto-Submitted: auto-generated',
  ];
  // Base64 has no `=_`.
  const boundary = `=_${id}`;
  const kind = `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`;
  const parts = [part('plain', text), part('html', html)].map((each) => `--${boundary}\r\n${each}\r\n`);
  return [...headers, kind, '', `${parts.join('')}--${boundary}--`].join('\r\n');
}

function part(kind: 'plain' | 'html', text: string): string {
  const lines = base64(text.replaceAll(/\r?\n/g, '\r\n')).match(/.{1,76}/g) ?? [''];
  return [
    `Content-Type: text/${kind}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
  ].join('\r\n');
}

/** Characters of an encoded word, whose 75 characters hold 45 bytes: a character has at most four. */
const OF_A_WORD = 11;

/** A subject that is not short and ASCII becomes encoded words, none of which ends within a character. */
function encodedWords(text: string): string {
  if (/^[ -~]{0,60}$/.test(text) && !text.includes('=?')) return text;
  const characters = Array.from(text);
  const words = Array.from({ length: Math.ceil(characters.length / OF_A_WORD) }, (_, index) =>
    characters.slice(index * OF_A_WORD, (index + 1) * OF_A_WORD).join(''),
  );
  return words.map((word) => `=?utf-8?B?${base64(word)}?=`).join('\r\n ');
}

function base64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}
