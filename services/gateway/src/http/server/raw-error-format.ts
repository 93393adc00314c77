import type { IncomingMessage } from 'node:http';
import type { ErrorFormat } from '@sluice/client-errors';
import { isAnthropicPath } from '../app-types.ts';
import { servedUrl } from './served-url.ts';

/** Returns the form of the errors of a request that no route has seen: its path names the API. */
export function rawErrorFormat({ url = '' }: Pick<IncomingMessage, 'url'>): ErrorFormat {
  return isAnthropicPath(servedUrl(url)) ? 'anthropic' : 'service';
}
