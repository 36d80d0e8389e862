/**
 * The address of a client, from a proxy's header that a setting names. The runtime does not give the address of the
 * other end, and a header that a client sends without a proxy proves nothing: then no address is known.
 */

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
  const [, inner = ''] = /^\[?([0-9a-fA-F:.]+)(?:%[^\]]*)?\]?$/.exec(address) ?? [];
  const hostname = URL.parse(`http://[${inner}]`)?.hostname;
  if (hostname === undefined) return undefined;
  // The URL parser writes groups in hexadecimal, and the longest run of zeros as `::`.
  const [before = '', after] = hostname.slice(1, -1).split('::');
  const head = groupsOf(before);
  const tail = groupsOf(after ?? '');
  const groups = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 6).join() === '0,0,0,0,0,65535') {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return groups.slice(0, 4).join(':');
}

function groupsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}
