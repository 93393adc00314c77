import type { IncomingMessage } from 'node:http';
import type { ErrorFormat } from '@sluice/inference';
import { servedUrl } from './served-url.ts';

const anthropicPath = /^\/v1\/messages(?:[/?]|$)/;

/** Returns the form of the errors of a request that no route has seen: by its path, or by who its client is. */
export function rawErrorFormat({
  headers,
  url = '',
}: Pick<IncomingMessage, 'headers' | 'url'>): ErrorFormat {
  const isAnthropic =
    headers['anthropic-version'] !== undefined || anthropicPath.test(servedUrl(url));
  return isAnthropic ? 'anthropic' : 'service';
}
