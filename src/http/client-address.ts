/**
 * The address of a client, from a proxy's header that a setting names. The runtime does not give the address of the
 * other end, and a header that a client sends without a proxy proves nothing: then no address is known.
 */
import ipaddr from 'ipaddr.js';

/** Longer than any address; a proxy may also send a name. */
const LONGEST = 256;

/**
 * The address that identifies a client, or null. A proxy appends to a list: earlier entries may be invented by the
 * client. For IPv6 it is the network of 64 bits, because a client chooses its address within it freely.
 */
export function clientAddressOf(headers: Headers, header: string | null): string | null {
  const text = header === null ? null : headers.get(header);
  const address = text?.slice(text.lastIndexOf(',') + 1).trim() ?? '';
  if (address === '' || address.length > LONGEST) return null;
  // Some proxies also send the port, which differs for every connection.
  const [, host = address] = /^([0-9.]+|\[[^\]]*\]):[0-9]+$/.exec(address) ?? [];
  return host.includes(':') ? (networkOf(host) ?? host) : host;
}

/** The network of an IPv6 address, or the IPv4 address that it stands for; undefined for anything else. */
function networkOf(address: string): string | undefined {
  const literal = address.replace(/^\[(.*)\]$/, '$1').replace(/%.*/, '');
  if (!ipaddr.IPv6.isValid(literal)) return undefined;
  const read = ipaddr.process(literal);
  return 'parts' in read ? read.parts.slice(0, 4).join(':') : read.toString();
}
