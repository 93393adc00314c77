import type { TokenUsage } from '@sluice/inference';
import { asArray, asObject, type JsonObject } from '../json-reader.ts';
import { checkedUsage, summed } from '../usage-counts.ts';

/**
 * `usageMetadata`; undefined when it is absent or cannot be true. There, thoughts are beside the
 * candidates' tokens, and what its own tools read is beside the prompt; here both are among them.
 */
export function geminiUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  if (!usage) return undefined;
  const thoughts = usage['thoughtsTokenCount'] ?? 0;
  const cachedAudio = ofModality(usage['cacheTokensDetails'], 'AUDIO');
  return checkedUsage({
    inputTokens: summed(usage['promptTokenCount'], usage['toolUsePromptTokenCount'] ?? 0),
    cachedTokens: without(usage['cachedContentTokenCount'] ?? 0, cachedAudio),
    audioInputTokens: without(ofModality(usage['promptTokensDetails'], 'AUDIO'), cachedAudio),
    cachedAudioTokens: cachedAudio,
    outputTokens: summed(usage['candidatesTokenCount'] ?? 0, thoughts),
    reasoningTokens: thoughts,
    imageOutputTokens: ofModality(usage['candidatesTokensDetails'], 'IMAGE'),
    audioOutputTokens: ofModality(usage['candidatesTokensDetails'], 'AUDIO'),
  });
}

function ofModality(details: unknown, modality: string): unknown {
  for (const each of asArray(details)) {
    const detail = asObject(each);
    if (detail?.['modality'] === modality) return detail['tokenCount'] ?? 0;
  }
  return 0;
}

function without(all: unknown, part: unknown): unknown {
  return typeof all === 'number' && typeof part === 'number' ? all - part : all;
}
