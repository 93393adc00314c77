import type { InferenceRequest } from '@sluice/inference';

/** A canonical request in which the user says one text. */
export function textRequest(text: string): InferenceRequest {
  return {
    items: [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }],
    tools: [],
    toolChoice: { type: 'auto' },
    parallelToolCalls: undefined,
    maxOutputTokens: undefined,
    temperature: undefined,
    topP: undefined,
    stream: false,
  };
}
