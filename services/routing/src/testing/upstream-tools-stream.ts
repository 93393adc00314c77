const added = (item: object, output_index: number) => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const done = (item: object, output_index: number) => ({
  type: 'response.output_item.done',
  output_index,
  item,
});

const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
const code = { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: '1 + 1' };
const picture = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' };
const logprob = { token: 'a', logprob: -0.1, bytes: [97], top_logprobs: [] };
const citation = { type: 'url_citation', url: 'https://a.example.com', title: 'A' };
const message = {
  type: 'message',
  id: 'msg_1',
  content: [{ type: 'output_text', text: 'ab', annotations: [citation], logprobs: [logprob] }],
};
const at = { output_index: 3, content_index: 0 };

const events: readonly object[] = [
  { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } },
  added({ ...search, status: 'in_progress' }, 0),
  added({ ...code, status: 'in_progress', code: '' }, 1),
  done(search, 0),
  added({ ...picture, status: 'in_progress', result: null }, 2),
  done(code, 1),
  done(picture, 2),
  added({ type: 'message', id: 'msg_1', content: [] }, 3),
  { type: 'response.output_text.delta', ...at, delta: 'a', logprobs: [logprob] },
  { type: 'response.output_text.annotation.added', ...at, annotation: citation },
  { type: 'response.output_text.delta', ...at, delta: 'b' },
  done(message, 3),
  {
    type: 'response.completed',
    response: {
      id: 'resp_1',
      status: 'completed',
      usage: { input_tokens: 9, output_tokens: 5, total_tokens: 14 },
    },
  },
];

/** A stream of a provider's responses API that searches, computes and draws itself. */
export const upstreamToolsStream = events
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .join('');
