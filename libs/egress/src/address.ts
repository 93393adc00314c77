import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** The prefix of NAT64 (RFC 6052). A resolver of a network without IPv4 answers with such addresses. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** The wire server of Azure. It is a public address that each virtual machine reaches, with its secrets. */
const publicMetadata = new Set(['168.63.129.16']);

/**
 * Returns an address in the form that decides where its packets go: IPv4 for one that IPv6 or NAT64 carries.
 * Returns undefined for a text that is no address, or that names a zone.
 */
export function parseAddress(text: string): Address | undefined {
  if (text.includes('%')) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/**
 * Returns true for an address of the public internet. False for loopback, private, link-local, shared (CGNAT),
 * unique-local, multicast, documentation and every other reserved range, and for tunnels that carry IPv4.
 */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(globalUnicast);
  return !publicMetadata.has(address.toString());
}
