import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, streamText } from 'ai';
globalThis.AI_SDK_LOG_WARNINGS = false;
const anthropic = createAnthropic({ baseURL: process.env.BASE_URL, apiKey: process.env.API_KEY });
const asked = {
  model: anthropic(model),
  prompt: inputs.searching,
  tools: { web_search: anthropic.tools.webSearch_20250305({ maxUses: 3 }) },
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
    calls[0].input.query,
    results[0].output[0].url,
    await result.text,
    await result.finishReason,
  );
  print(
    sources[0].sourceType,
    sources[0].url,
    sources[0].title,
    usage.inputTokens > 0,
    usage.outputTokens > 0,
  );
}
