import type { Headers } from './transport/conversation.ts';
import { headerOf } from './transport/headers.ts';

/** Headers of Anthropic about the limits of the account, which Claude Code shows and waits for. */
const prefix = 'anthropic-ratelimit-unified-';
const valuePattern = /^[\x20-\x7e]{1,256}$/;
const headersMax = 32;

const none: Readonly<Record<string, string>> = {};

/** Returns the headers about the limits of the account that the request was made with. */
export function accountLimits(headers: Headers): Readonly<Record<string, string>> {
  const names = Object.keys(headers).filter((name) => name.startsWith(prefix));
  if (names.length === 0) return none;
  const limits: Record<string, string> = {};
  for (const name of names.slice(0, headersMax)) {
    const value = headerOf(headers, name);
    if (value !== undefined && valuePattern.test(value)) limits[name] = value;
  }
  return limits;
}
