import type { ReasoningItem, ReasoningReplay } from '@sluice/inference';
import { isObject } from '@sluice/client-schemas';
import { parseJson } from '../../request/parse-json.ts';

const prefix = 'thought.v1.';

/**
 * Returns `encrypted_content` of a thought. It has everything that the next turn must replay, because many clients
 * keep neither the signature nor the format of a thought.
 */
export function sealThought(
  { encrypted, signature, format }: ReasoningReplay,
  content: string | undefined,
): string {
  const sealed = { format, encrypted, signature, ...(encrypted === undefined && { content }) };
  return prefix + Buffer.from(JSON.stringify(sealed)).toString('base64url');
}

type Opened = Pick<ReasoningItem, 'encrypted' | 'signature' | 'format'> & {
  readonly content: string | undefined;
};

/** Opens a sealed thought. Returns undefined if Sluice did not seal it or if it is damaged. */
export function openThought(text: string | undefined): Opened | undefined {
  if (!text?.startsWith(prefix)) return undefined;
  const sealed = parseJson(Buffer.from(text.slice(prefix.length), 'base64url').toString());
  if (!isObject(sealed)) return undefined;
  const read = (name: string): string | undefined => {
    const value = sealed[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    encrypted: read('encrypted'),
    signature: read('signature'),
    format: read('format'),
    content: read('content'),
  };
}
