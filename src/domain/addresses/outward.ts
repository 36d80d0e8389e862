/**
 * Addresses that the service may call for those who write them down: none that leads into a network that is not public.
 * An address is looked at as the runtime would call it, so every spelling of a number is the same number. What a name
 * leads to is known only when it is called: the platform's `fetch` reaches no private network, and under `npm start`
 * the runtime is kept from it (scripts/runtime.ts).
 */
import ipaddr from 'ipaddr.js';
import { LIMITS } from '../limits.ts';

/** The last parts of names that are not in the public DNS. */
const PRIVATE_NAMES = new Set([
  ...'localhost localdomain local internal intranet private corp home lan cluster svc'.split(' '),
  ...'consul docker arpa alt test invalid onion'.split(' '),
]);

/** An address of the public range that each machine of Azure has for itself: its platform answers there. */
const OF_A_PLATFORM = '168.63.129.16';

/** All public IPv6 addresses are in it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** What is wrong with an address to be called; undefined for nothing. `privateToo`: private networks are fine. */
export function faultOfAddress(text: string, privateToo: boolean): string | undefined {
  if (text.length > LIMITS.webhookUrl) return `An address has at most ${LIMITS.webhookUrl} characters.`;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'The url must be an https address.';
  if (url.username !== '' || url.password !== '') return 'The url must hold no user name and no password.';
  if (privateToo) return undefined;
  if (url.protocol !== 'https:')
    return 'The url must be an https address: what is sent is nobody else’s business.';
  return isPublicHost(url.hostname) ? undefined : 'The url must lead to a public address.';
}

/** `host` is that of a parsed URL: a name in lower case, IPv4 in four decimal numbers, or IPv6 in brackets. */
function isPublicHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  const literal = name.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValid(literal)) return isPublicAddress(literal);
  // A name of one part is one of the network that the service is in.
  return name.includes('.') && !PRIVATE_NAMES.has(name.slice(name.lastIndexOf('.') + 1));
}

function isPublicAddress(literal: string): boolean {
  // An IPv4 address inside of an IPv6 address is taken out.
  const address = ipaddr.process(literal);
  if (address.range() !== 'unicast' || address.toString() === OF_A_PLATFORM) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}
