/**
 * Addresses of mail. Only ASCII, and only what stands in a header and in an SMTP command as it is: an address injects
 * nothing, and none looks like another one of other letters. Domains of other letters are written as punycode.
 */
const MOST = 254;
const MOST_LOCAL = 64;
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const ADDRESS = new RegExp(`^(${ATOM}(?:\\.${ATOM})*)@${LABEL}(?:\\.${LABEL})*$`, 'i');

export function isMailAddress(text: string): boolean {
  const [, local = ''] = text.length > MOST ? [] : (ADDRESS.exec(text) ?? []);
  return local !== '' && local.length <= MOST_LOCAL;
}
