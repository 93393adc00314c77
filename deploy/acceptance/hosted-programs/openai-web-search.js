import OpenAI from 'openai';
const client = new OpenAI({
  baseURL: process.env.BASE_URL,
  apiKey: process.env.API_KEY,
  maxRetries: 0,
});
for (const type of ['web_search', 'web_search_preview']) {
  const body = { model, input: inputs.searching, tools: [{ type }] };
  const whole = await client.responses.create(body);
  const streamed = await client.responses.stream(body).finalResponse();
  for (const { output, output_text: text, usage } of [whole, streamed]) {
    const search = output.find(({ type }) => type === 'web_search_call');
    const message = output.find(({ type }) => type === 'message');
    const [cited] = message.content[0].annotations;
    print(search.type, search.status, search.action.query, text);
    print(cited.type, cited.title, text.slice(cited.start_index, cited.end_index));
    print(
      usage.input_tokens > 0,
      usage.total_tokens === usage.input_tokens + usage.output_tokens,
      usage.cost > 0.004,
    );
  }
}
