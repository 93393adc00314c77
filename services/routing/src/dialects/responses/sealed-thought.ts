import type { ReasoningItem, ReasoningReplay } from '@sluice/inference';
import { isObject } from './fields.ts';

const prefix = 'thought.v1.';

/**
 * `encrypted_content` of a thought: by itself it holds all that must go back with the next turn. Many clients
 * keep nothing else of a thought, neither its signature nor whose it is.
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

/** Opens a sealed thought. undefined: Sluice did not seal it, or it is broken. */
export function openThought(text: string | undefined): Opened | undefined {
  if (!text?.startsWith(prefix)) return undefined;
  const sealed = parse(Buffer.from(text.slice(prefix.length), 'base64url').toString());
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
