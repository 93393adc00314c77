import type { CountingWire } from '../translation.ts';
import { modelName } from './request.ts';

/** Google's `countTokens`, which is free. Only in a whole request it counts instructions and tools. */
export const geminiCounting: CountingWire = {
  path: (endpoint) => `/models/${encodeURIComponent(modelName(endpoint))}:countTokens`,
  body: (endpoint, request) => ({
    generateContentRequest: { model: `models/${modelName(endpoint)}`, ...request },
  }),
  field: 'totalTokens',
};
