import type { CanonicalCall } from './call.ts';
import { settingsOf } from './plugins.ts';

/** The engine that shortens a conversation: for every window, for none, or for small ones. */
export type Compression = 'on' | 'off' | 'small';

/** Models with no more tokens are compressed for, unless the request or its workspace forbids it. */
const smallWindowMax = 8_192;

/** Returns whether a request is compressed if it does not fit (contract inference.md 21). */
export function compressionOf(call: Pick<CanonicalCall, 'plugins' | 'inference'>): Compression {
  const { embedding, ranking } = call.inference;
  if (embedding || ranking) return 'off';
  if (settingsOf(call, 'context-compression')) return 'on';
  return call.plugins['context-compression'] ? 'off' : 'small';
}

export function isCompressedFor(compression: Compression, windowTokens: number): boolean {
  if (compression === 'small') return windowTokens <= smallWindowMax;
  return compression === 'on';
}
