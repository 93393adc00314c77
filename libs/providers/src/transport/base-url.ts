const urlsMax = 1_024;

interface BaseUrl {
  readonly origin: string;
  /** Has no slash at its end. */
  readonly pathname: string;
}

/** Caches parsed base URLs. The catalog has only a few. */
const urls = new Map<string, BaseUrl>();

/** Returns the parts of a base URL. */
export function urlOf(baseUrl: string): BaseUrl {
  const known = urls.get(baseUrl);
  if (known) return known;
  const { origin, pathname } = new URL(baseUrl);
  const url = { origin, pathname: pathname.replace(/\/+$/, '') };
  if (urls.size >= urlsMax) urls.clear();
  urls.set(baseUrl, url);
  return url;
}
