import { hash } from 'node:crypto';
import type { InferenceRequest } from '@sluice/inference';

/** Identifies requests that belong together. */
export interface Conversation {
  readonly key: string;
  /** The client named it: then the first answer binds it, without the provider's cache. */
  readonly isNamed: boolean;
}

/** The session, or the cache key, or what the conversation began with; undefined: it is no conversation. */
export function conversationOf(
  sessionId: string | undefined,
  { options, items, embedding, ranking }: InferenceRequest,
): Conversation | undefined {
  if (embedding || ranking) return undefined;
  if (sessionId !== undefined) return { key: `session:${sessionId}`, isNamed: true };
  if (options?.promptCacheKey !== undefined)
    return { key: `cache:${options.promptCacheKey}`, isNamed: false };
  // A single question has no conversation to return to.
  if (items.length < 2) return undefined;
  const messages = items.filter((item) => item.type === 'message');
  if (messages.length === 0) return undefined;
  const isInstruction = ({ role }: (typeof messages)[number]) =>
    role === 'system' || role === 'developer';
  const beginning = [
    messages.find(isInstruction),
    messages.find((message) => !isInstruction(message)),
  ];
  const digest = hash('sha256', JSON.stringify(beginning, withoutMarks), 'base64url');
  return { key: `hash:${digest}`, isNamed: false };
}

/** Leaves out the marks of what is worth being cached: agents move them to the newest message. */
function withoutMarks(name: string, value: unknown): unknown {
  return name === 'cache' ? undefined : value;
}
