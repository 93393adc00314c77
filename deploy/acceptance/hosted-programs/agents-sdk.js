import {
  Agent,
  hostedMcpTool,
  imageGenerationTool,
  run,
  setDefaultOpenAIClient,
  setTracingDisabled,
  webSearchTool,
} from '@openai/agents';
import OpenAI from 'openai';
setDefaultOpenAIClient(
  new OpenAI({ baseURL: process.env.BASE_URL, apiKey: process.env.API_KEY, maxRetries: 0 }),
);
setTracingDisabled(true);
async function both(tool, input) {
  const agent = new Agent({ name: 'Reader', model, tools: [tool] });
  const whole = await run(agent, input);
  const streamed = await run(agent, input, { stream: true });
  let deltas = '';
  for await (const text of streamed.toTextStream()) deltas += text;
  await streamed.completed;
  print(deltas === streamed.finalOutput);
  return [whole, streamed];
}
const [whole, streamed] = await both(webSearchTool(), inputs.searching);
for (const { newItems, finalOutput, rawResponses } of [whole, streamed]) {
  const search = newItems
    .map(({ rawItem }) => rawItem)
    .find(({ name }) => name === 'web_search_call');
  print(search.status, search.providerData.action.query, finalOutput);
  print(rawResponses[0].usage.inputTokens > 0, rawResponses[0].usage.totalTokens > 0);
}
// Older versions of the SDK keep no citations of a stream.
const { content } = whole.newItems.at(-1).rawItem;
const { annotations } = content[0].providerData ?? content[0];
const [cited] = annotations;
print(cited.type, cited.title, whole.finalOutput.slice(cited.start_index, cited.end_index));
if (model !== 'sim/echo') {
  const tool = hostedMcpTool({ serverLabel: 'tickets', serverUrl: process.env.MCP_URL });
  for (const { newItems, finalOutput } of await both(tool, inputs.calling))
    print(
      newItems
        .map(({ rawItem }) => rawItem.name ?? rawItem.type)
        .filter((name) => name !== 'reasoning'),
      finalOutput,
    );
  for (const { newItems, finalOutput, rawResponses } of await both(
    imageGenerationTool({ quality: 'low' }),
    inputs.drawing,
  )) {
    const drawn = newItems
      .map(({ rawItem }) => rawItem)
      .find(({ name }) => name === 'image_generation_call');
    print(drawn.status, Buffer.from(drawn.output, 'base64').subarray(1, 4).toString(), finalOutput);
    print(rawResponses[0].usage.inputTokens > 0, rawResponses[0].usage.totalTokens > 0);
  }
}
