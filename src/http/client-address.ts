/** The address of a client: of the other end of its connection, or from a proxy's header that a setting names. */
import ipaddr from 'ipaddr.js';

/** Longer than any address; a proxy may also send a name. */
const LONGEST = 256;

/**
 * The address that identifies a client, or null: at the other end may be a proxy of this machine. A proxy appends to a
 * list: earlier entries may be invented by the client. For IPv6 it is the network of 64 bits, because a client chooses
 * its address within it freely.
 */
export function clientAddressOf(
  { headers, cf }: Pick<Request, 'cf' | 'headers'>,
  header: string | null,
): string | null {
  const end = cf?.['clientIp'];
  const text = header === null ? (typeof end === 'string' ? end : null) : headers.get(header);
  const address = text?.slice(text.lastIndexOf(',') + 1).trim() ?? '';
  if (address === '' || address.length > LONGEST) return null;
  // The port differs for every connection; some proxies send it too.
  const [, host = address] = /^([0-9.]+|\[[^\]]*\]):[0-9]+$/.exec(address) ?? [];
  if (header === null && isOfThisMachine(host)) return null;
  return host.includes(':') ? (networkOf(host) ?? host) : host;
}

function isOfThisMachine(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** The network of an IPv6 address, or the IPv4 address that it stands for; undefined for anything else. */
function networkOf(address: string): string | undefined {
  const literal = address.replace(/^\[(.*)\]$/, '$1').replace(/%.*/, '');
  if (!ipaddr.IPv6.isValid(literal)) return undefined;
  const read = ipaddr.process(literal);
  return 'parts' in read ? read.parts.slice(0, 4).join(':') : read.toString();
}
