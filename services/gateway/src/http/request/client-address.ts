import { isIPv6 } from 'node:net';

/**
 * Returns the address that counts as one client: an IPv4 address, or the /64 that an IPv6 customer has at least. A
 * client gets no fresh allowance by changing its own half of the address.
 */
export function clientAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const given = groups(head);
  const zeros = tail === undefined ? 0 : 8 - given.length - groups(tail).length;
  const all = [...given, ...Array.from({ length: zeros }, () => '0'), ...groups(tail ?? '')];
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
