const model = 'sim/embedding';

/** Bodies of `POST /embeddings` that together say most of what the contract knows. */
export const sampleEmbeddings = [
  { model, input: 'hello' },
  { model, input: ['one', 'two', 'three'], dimensions: 8, encoding_format: 'base64' },
  { model, input: [1, 2, 3], encoding_format: 'float', user: 'user-1' },
  {
    model,
    input: [
      [1, 2],
      [3, 4],
    ],
    input_type: 'search_query',
  },
  {
    model,
    input: [
      { content: [{ type: 'text', text: 'x' }] },
      {
        content: [
          { type: 'text', text: 'a picture' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ],
      },
    ],
    provider: { order: ['simulator'], allow_fallbacks: true },
    trace: { trace_id: 't' },
  },
];
