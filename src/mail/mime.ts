/** A mail as text (RFC 5322, RFC 2045 to 2047): ASCII lines of at most 76 characters, whatever it says. */
import type { Mail } from './mail.ts';

export function mimeOf({ from, html, subject, text, to }: Mail): string {
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
