import type { InferenceReply } from '@sluice/inference-port';
import type { CanonicalCall } from '../request/call.ts';

const namedMax = 10;

/** Adds a header that names the fields of the body without effect, and the tools that were left out. */
export function withWarnings(
  reply: InferenceReply,
  { warning, leftOut }: Pick<CanonicalCall, 'warning' | 'leftOut'>,
): InferenceReply {
  if ((warning ?? '') === '' && leftOut.length === 0) return reply;
  const tools = leftOut.slice(0, namedMax).map((kind) => `tool ${kind} left out`);
  const warnings = [warning ?? '', tools.join(', ')].filter((text) => text !== '');
  return { ...reply, headers: { ...reply.headers, 'x-service-warnings': warnings.join('; ') } };
}
