const version = '/v1';

/** The base URL with a slash at its end, and its query. */
const slashedBase = /^\/v1\/(?=\?|$)/;

/**
 * Returns the URL that is served for one that a client asked for. Some clients add the version of the API to a base URL
 * that ends with it: it counts once. A slash behind the base URL says nothing.
 */
export function servedUrl(url: string): string {
  const once = url.startsWith(`${version}${version}/`) ? url.slice(version.length) : url;
  return once.replace(slashedBase, version);
}
