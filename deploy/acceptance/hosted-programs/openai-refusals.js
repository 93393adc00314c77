import OpenAI from 'openai';
const client = new OpenAI({
  baseURL: process.env.BASE_URL,
  apiKey: process.env.API_KEY,
  maxRetries: 0,
});
for (const tool of [
  { type: 'code_interpreter', container: { type: 'auto' } },
  { type: 'file_search', vector_store_ids: ['vs_1'] },
]) {
  const body = { model, input: 'hello', tools: [tool] };
  for (const send of [
    () => client.responses.create(body),
    () => client.responses.stream(body).finalResponse(),
  ])
    await send().then(
      () => print('served'),
      (error) => print(error instanceof OpenAI.NotFoundError, error.message),
    );
}
