import { inputCount, type InferenceRequest } from '@sluice/inference';
import { hasProviderRunTool, nativeCallsMaxOf } from '@sluice/providers';

/**
 * Returns how often a provider may read up to a whole context in one request. It reads the inputs of an embedding, and
 * the documents of a ranking, one by one. After each call of a tool that it runs, it reads all the input again, with
 * what the tool found.
 */
export function readingsMax(
  request: Pick<InferenceRequest, 'embedding' | 'ranking' | 'items' | 'tools' | 'options'>,
): number {
  if (!hasProviderRunTool(request)) return inputCount(request);
  return 1 + (nativeCallsMaxOf(request) ?? 0);
}
