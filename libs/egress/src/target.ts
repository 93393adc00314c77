import { isIP } from 'node:net';
import type { AllowList } from './allow-list.ts';
import type { EgressFailure } from './failure.ts';

export interface TargetRules {
  readonly allowList: AllowList;
  /** True: `http:` is allowed too. Addresses that the operator names may always be called by http. */
  readonly isHttpAllowed: boolean;
}

const urlLengthMax = 8_192;
/** The ports of other protocols from 1024 on, as the Fetch standard blocks them. */
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10_080,
]);

const invalid = (message: string): EgressFailure => ({ reason: 'invalid_url', message });

/** Parses a URL, and refuses one that may not be called whatever its host resolves to. */
export function parseTarget(text: string | URL, rules: TargetRules): URL | EgressFailure {
  const url = String(text).length > urlLengthMax ? null : URL.parse(String(text));
  if (!url) return invalid('The URL is malformed');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return invalid('The URL must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    return invalid('The URL must not name a user or a password');
  const port = portOf(url);
  const host = literalOf(url.hostname);
  const isNamed = host !== undefined && rules.allowList.names(host, port);
  if (url.protocol === 'http:' && !rules.isHttpAllowed && !isNamed)
    return invalid('The URL must begin with https://');
  if (!isNamed && ((port < 1_024 && port !== 80 && port !== 443) || blockedPorts.has(port)))
    return invalid(`Port ${port} is not allowed`);
  if (host !== undefined && !rules.allowList.permits(host, port)) return forbidden(url.hostname);
  return url;
}

export function forbidden(hostname: string): EgressFailure {
  return { reason: 'forbidden_address', message: `${hostname} is not a public address` };
}

/** Returns the address if a host is one, without brackets. `URL` has already read the octal and hexadecimal forms. */
export function literalOf(hostname: string): string | undefined {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(host) === 0 ? undefined : host;
}

const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
