import type { TokenUsage } from '@sluice/inference';
import { asArray, asObject, type JsonObject } from '../json-reader.ts';
import { checkedUsage, summed, without } from '../usage-counts.ts';

/**
 * Reads `usageMetadata`. Returns undefined if it is absent or implausible. Gemini counts thoughts and the input of
 * its own tools separately. The result adds thoughts to the output and tool input to the input.
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
