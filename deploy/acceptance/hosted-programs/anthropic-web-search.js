import Anthropic from '@anthropic-ai/sdk';
const baseURL = process.env.BASE_URL.replace(/\/v1$/, '');
const client = new Anthropic({ baseURL, apiKey: process.env.API_KEY, maxRetries: 0 });
const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }];
const body = {
  model,
  max_tokens: 4096,
  tools,
  messages: [{ role: 'user', content: inputs.searching }],
};
const whole = await client.messages.create(body);
const streamed = await client.messages.stream(body).finalMessage();
for (const { content, stop_reason, usage } of [whole, streamed]) {
  const [call, result, ...texts] = content.filter(({ type }) => !type.includes('thinking'));
  print(
    call.type,
    call.name,
    call.input.query,
    result.type,
    result.tool_use_id === call.id,
    result.content[0].url,
  );
  print(texts.map(({ text }) => text).join(''), stop_reason);
  const [cited] = texts.flatMap(({ citations }) => citations ?? []);
  print(cited.type, cited.title, cited.url, cited.cited_text.length > 0);
  print(usage.server_tool_use.web_search_requests, usage.input_tokens > 0, usage.output_tokens > 0);
}
