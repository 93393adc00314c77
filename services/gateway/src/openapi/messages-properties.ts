import type { PropertyText } from './property-text.ts';

/** Properties of messages in Anthropic's format. */
export const messagesProperties: Readonly<Record<string, PropertyText>> = {
  budget_tokens: ['Number of tokens for thinking.', 2048],
  cache_creation_input_tokens: ['Number of input tokens that were written to a cache.', 0],
  cache_read_input_tokens: ['Number of input tokens that were read from a cache.', 0],
  citations: ['Whether the answer names the places of the file that it rests on.', {}],
  context_management: ['Without effect: the whole history is sent.', {}],
  disable_parallel_tool_use: ['Whether one tool at most is called at a time.', false],
  fallbacks: [
    'Models for when the first one cannot serve, in their order.',
    [{ model: 'sim/echo' }],
  ],
  is_error: ['Whether the tool failed.', false],
  mcp_servers: ['Servers of tools: not available yet, and left out beside other tools.', []],
  thread: ['Refused: no conversation is kept. Send all messages.', null],
  input_examples: ['Inputs that show the model how to call the tool. Only Anthropic has them.', []],
  eager_input_streaming: [
    'Whether the input is told as the model writes it, before it is checked. Only Anthropic has it.',
    true,
  ],
  output_config: ['How hard the model tries, and the form of its answer.', { effort: 'low' }],
  source: ['The place of the content, or the content itself.', undefined],
  speed: ['`fast` asks for the faster tier.', 'standard'],
  stop_reason: ['The reason why the answer ended.', 'end_turn'],
  stop_sequence: ['The text of `stop_sequences` that ended the answer.', null],
  stop_sequences: ['Texts before which the answer ends.', ['END']],
  thinking: ['How the model thinks; in a block: its thought.', undefined],
  title: ['Name of the file or the page.', 'Report'],
  tool_use_id: ['The id of the call that is answered.', 'toolu_1'],
};
