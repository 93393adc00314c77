export { hasProviderRunTool, isSearchItem, nativeCallsMaxOf } from './native-calls.ts';
export {
  canChangeEffort,
  canFillPrompts,
  canRun,
  isDefinedTool,
  isRunByProvider,
  canSay,
  hasNativeTool,
  hasToolKind,
  embeddableModalities,
  rankableModalities,
  embeddingGap,
  mustNameOutputLimit,
  outputTokensMin,
  outputTokensUnnamed,
  sayableModalities,
  unsayableParameters,
} from './abilities.ts';
export { claudeAbilities, type ClaudeAbilities } from './anthropic-messages/claude-version.ts';
export {
  compatibleChat,
  dialects,
  nativeToolKinds,
  openAiChat,
  type ChatOptions,
  type Dialect,
  type Endpoint,
  type NativeToolKind,
} from './endpoint.ts';
export {
  createUpstream,
  type CallOptions,
  type Upstream,
  type UpstreamOptions,
} from './upstream.ts';
export { budgetedOutputTokensMin, dropsThinking } from './thinking-room.ts';
export { flatName as flatToolName } from './tools/tool-names.ts';
export { canCountInput, formatText, wireBody } from './wire-body.ts';
export { UpstreamFault } from './upstream-fault.ts';
export type { CountOptions, InputCounting } from './input-count.ts';
export type { LookupOptions, UsageLookup } from './usage-lookup.ts';
export type { ServedUsage } from './served-usage.ts';
export { providerPresets, switchingSettings, type ProviderPreset } from './presets.ts';
export type { CallLimits } from './transport/deadlines.ts';
export type { AnswerProbe } from './transport/answer-probe.ts';
export type { CallProgress } from './transport/call-progress.ts';
export type { ProxySettings } from './transport/dispatchers.ts';
