import type { CountingWire } from '../translation.ts';

/** The fields of a request that the call takes. It refuses others, such as `max_tokens`. */
const fields = ['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'];

/** Anthropic's `POST /messages/count_tokens`, which is free. */
export const messagesCounting: CountingWire = {
  path: () => '/messages/count_tokens',
  body: (_endpoint, request) => Object.fromEntries(fields.map((name) => [name, request[name]])),
  field: 'input_tokens',
};
