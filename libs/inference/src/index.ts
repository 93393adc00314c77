export { clientApplication, decodeClient, encodeClient } from './client-header.ts';
export type {
  ClientApplication,
  InferenceCall,
  InferencePort,
  InferenceReply,
  Principal,
} from './port.ts';
export type {
  FunctionTool,
  InferenceRequest,
  InputItem,
  TextContent,
  ToolChoice,
} from './request.ts';
export { isOutput, type FinishReason, type StreamPart } from './part.ts';
export type { SpecialCounts, TokenUsage } from './usage.ts';
export {
  affordableOutputTokens,
  costNanoUsd,
  costSharesNanoUsd,
  holdNanoUsd,
  nanoUsdToDecimal,
  nanoUsdToNumber,
  parsePriceAttoUsd,
  type Prices,
  type UsageBounds,
} from './money.ts';
export { pricesOfTexts, priceTexts, type PriceTexts } from './price-texts.ts';
export { errorEnvelope, type ErrorEnvelope } from './envelope.ts';
export { decodePrincipal, encodePrincipal, internalHttp } from './principal-header.ts';
