/** Hosts that a credential may name: each of them, and one label below each of `below`. */
interface Hosts {
  readonly exact: readonly string[];
  readonly below: readonly string[];
}

/**
 * Only the provider itself answers on these. `azure-api.net` is missing on purpose: API Management forwards to
 * any server its owner wants. So are hosts that serve uploads, such as `storage.googleapis.com`.
 */
const hosts: Readonly<Record<string, Hosts>> = {
  azure: {
    exact: [],
    below: ['openai.azure.com', 'services.ai.azure.com', 'cognitiveservices.azure.com'],
  },
  'google-vertex': {
    exact: ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com'],
    below: [],
  },
};

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const urlLengthMax = 2_048;

/** True: a credential for the provider may name the URL: https, a host of the list, the usual port, no user. */
export function isCredentialUrl(provider: string, text: string): boolean {
  const allowed = Object.hasOwn(hosts, provider) ? hosts[provider] : undefined;
  if (!allowed || text.length > urlLengthMax) return false;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.port !== '') return false;
  if (url.username !== '' || url.password !== '') return false;
  const { hostname } = url;
  if (allowed.exact.includes(hostname)) return true;
  const dot = hostname.indexOf('.');
  return label.test(hostname.slice(0, dot)) && allowed.below.includes(hostname.slice(dot + 1));
}
