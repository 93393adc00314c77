import { inputCount, type InferenceRequest } from '@sluice/inference';
import { isRunByProvider } from '@sluice/providers';

/** Calls of tools that a provider runs, if the client names no limit. A guess (decision 82). */
const callsUnasked = 3;

/**
 * Returns how often a provider may read up to a whole context in one request. It reads the inputs of an embedding one
 * by one. After each call of a tool that it runs, it reads all the input again, with what the tool found.
 */
export function readingsMax(
  request: Pick<InferenceRequest, 'embedding' | 'items' | 'tools' | 'options'>,
): number {
  const { tools, options } = request;
  const isRepeated = tools.some(
    (tool) => tool.type === 'native' && isRunByProvider(tool.tool['type']),
  );
  if (!isRepeated) return inputCount(request);
  return 1 + (options?.nativeCallsMax ?? callsUnasked);
}
