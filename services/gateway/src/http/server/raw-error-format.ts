import type { IncomingMessage } from 'node:http';
import type { ErrorFormat } from '@sluice/inference';
import { servedUrl } from './served-url.ts';

const anthropicPath = /^\/v1\/messages(?:[/?]|$)/;

/** Returns the form of the errors of a request that no route has seen: its path tells the door. */
export function rawErrorFormat({ url = '' }: Pick<IncomingMessage, 'url'>): ErrorFormat {
  return anthropicPath.test(servedUrl(url)) ? 'anthropic' : 'service';
}
