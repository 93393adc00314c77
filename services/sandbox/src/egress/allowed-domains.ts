/** True for a host name, or one with `*` for any characters of its labels: `*.example.com`. */
export function isDomainPattern(text: string): boolean {
  return text.length <= 253 && /^(?:[a-z0-9*_-]{1,63}\.)*[a-z0-9*_-]{1,63}$/i.test(text);
}

/** True if one of the patterns matches the whole host. A `*` stands for any characters, dots included. */
export function isAllowedHost(host: string, patterns: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return patterns.some((pattern) => matches(pattern.toLowerCase(), name));
}

/** Matches without going back further than to the last star: the time is bounded by the product of both lengths. */
function matches(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resumed = 0;
  let index = 0;
  while (index < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      resumed = index;
    } else if (pattern[at] === text[index]) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resumed;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
