export {
  textOf,
  type AudioContent,
  type CacheMarker,
  type ContentPart,
  type FileContent,
  type ImageContent,
  type MediaSource,
  type TextContent,
  type VideoContent,
} from './content.ts';
export type { EmbeddingOptions, EmbeddingVector } from './embedding.ts';
export type { Rank, RankingOptions } from './ranking.ts';
export {
  endOfString,
  isNumberText,
  jsonPlace,
  type JsonPlace,
  keepExactNumbers,
  parseExactJson,
  plainNumber,
} from './exact-json.ts';
export { asBuffer, JsonScan, type JsonShape } from './json-shape.ts';
export { inputCount } from './input-count.ts';
export type {
  ModelOptions,
  ReasoningEffort,
  ReasoningOptions,
  StructuredFormat,
} from './options.ts';
export {
  addressKey,
  addressOf,
  type CustomFormat,
  type CustomTool,
  type FunctionTool,
  type InferenceRequest,
  type InputItem,
  type NativeItem,
  type WorkerMark,
  type NativeTool,
  type ReasoningItem,
  type StoredPrompt,
  type Tool,
  type ToolAddress,
  type ToolChoice,
  type ToolNamespace,
} from './request.ts';
export {
  isLast,
  isOutput,
  type FinishReason,
  type LastPart,
  type StopDetails,
  type Logprob,
  type Phase,
  type TellingDifference,
  type ReasoningReplay,
  type StreamPart,
} from './part.ts';
export type {
  AnswerPart,
  ServedCall,
  ReadPage,
  ToolItem,
  ToolItemPart,
  ToolProgress,
  UpstreamPart,
} from './tool-item.ts';
export type { ResultBlock } from './result-block.ts';
export { specialCountsOf, specialCountTexts } from './special-counts.ts';
export { addTokens, type SpecialCounts, type TokenUsage, uncachedUsage } from './usage.ts';
export {
  affordableOutputTokens,
  costNanoUsd,
  costSharesNanoUsd,
  searchCostNanoUsd,
  holdNanoUsd,
  nanoUsdToDecimal,
  nanoUsdToNumber,
  parsePriceAttoUsd,
  pricesFor,
  type PlainPrices,
  type Prices,
  type PriceTier,
  type UsageBounds,
} from './money.ts';
export { pricesOfTexts, priceTexts, type PriceTexts } from './price-texts.ts';
