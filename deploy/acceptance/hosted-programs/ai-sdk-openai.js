import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText } from 'ai';
globalThis.AI_SDK_LOG_WARNINGS = false;
const openai = createOpenAI({ baseURL: process.env.BASE_URL, apiKey: process.env.API_KEY });
const asked = {
  model: openai.responses(model),
  prompt: inputs.searching,
  tools: { web_search: openai.tools.webSearch({ searchContextSize: 'low' }) },
  maxRetries: 0,
};
const whole = await generateText(asked);
const streamed = streamText(asked);
await streamed.consumeStream();
for (const result of [whole, streamed]) {
  const [calls, results, sources, usage] = await Promise.all([
    result.toolCalls,
    result.toolResults,
    result.sources,
    result.usage,
  ]);
  print(
    calls.map(({ toolName, providerExecuted }) => [toolName, providerExecuted]),
    results[0].output.action.query,
    await result.text,
    await result.finishReason,
  );
  print(sources[0].sourceType, sources[0].url, usage.inputTokens > 0, usage.outputTokens > 0);
}
