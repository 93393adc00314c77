const version = '/v1';

/**
 * Returns the URL that is served for one that a client asked for. Some clients add the version of the API to a base URL
 * that ends with it: it counts once.
 */
export function servedUrl(url: string): string {
  return url.startsWith(`${version}${version}/`) ? url.slice(version.length) : url;
}
