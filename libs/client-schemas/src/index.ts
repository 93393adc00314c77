export {
  type EmbeddingEntry,
  embeddingInputsMax,
  embeddingsBody,
  type EmbeddingsBody,
  isEmbeddingsBody,
} from './embeddings/body.ts';
export type { EmbeddingPart } from './embeddings/content.ts';
export {
  isRerankBody,
  type RerankBody,
  rerankBody,
  type RerankDocument,
  rerankDocumentsMax,
} from './rerank/body.ts';
export { chatBody, type ChatBody, isChatBody } from './chat-completions/body.ts';
export type { ChatPart } from './chat-completions/content.ts';
export type {
  ChatAssistantBody,
  ChatMessageBody,
  ReasoningDetailBody,
} from './chat-completions/messages.ts';
export type { ChatToolBody } from './chat-completions/tools.ts';
export {
  type FileAnnotationBody,
  fileAnnotationProblems,
} from './service-fields/file-annotation.ts';
export { field, isObject, type JsonObject } from './fields.ts';
export { jsonSchemaProblems } from './json-schema.ts';
export type {
  AssistantBlockBody,
  DocumentBody,
  ImageBody,
  MessageParamBody,
  ResultPartBody,
  TextBlockBody,
  ToolResultBody,
  UserBlockBody,
} from './messages/blocks.ts';
export { isMessagesBody, messagesBody, type MessagesBody } from './messages/body.ts';
export {
  eachUnknownField,
  type KnownFields,
  knownFieldsOf,
  type UnknownField,
} from './known-fields.ts';
export {
  isClientTool,
  type MessagesClientToolBody,
  type MessagesOtherToolBody,
  messagesToolName,
  type MessagesToolBody,
} from './messages/tools.ts';
export { type Problem, problemsOf } from './problems.ts';
export { isResponsesBody, responsesBody, type ResponsesBody } from './responses/body.ts';
export type { Part } from './responses/content.ts';
export type {
  CallBody,
  CallOutputBody,
  InputItemBody,
  MessageBody,
  ReasoningBody,
  UnknownItemBody,
} from './responses/input.ts';
export { inputItemProblems, isUnknownItem } from './responses/input.ts';
export { includeWords } from './responses/options.ts';
export type { SandboxSettings } from './server-tools/sandbox-settings.ts';
export type { FusionSettings } from './server-tools/fusion.ts';
export type { AdvisorSettings } from './server-tools/advisor.ts';
export type { SubagentSettings } from './server-tools/subagent.ts';
export type { ImageGenerationSettings } from './server-tools/image-generation.ts';
export { instanceProblems } from './server-tools/instances.ts';
export { type DatetimeSettings, isTimeZone } from './server-tools/datetime.ts';
export type { SearchModelsSettings } from './server-tools/search-models.ts';
export { isSearchOfClient, type ToolSearchSettings } from './server-tools/tool-search.ts';
export type { WebFetchSettings } from './server-tools/web-fetch.ts';
export {
  isLackingAt,
  isServerTool,
  type ServerToolBody,
  serverToolKinds,
  serverToolProblems,
} from './server-tools/index.ts';
export type {
  WebSearchParameters,
  WebSearchShorthand,
  WebSearchVersion,
} from './server-tools/web-search.ts';
export { dataUrlParts } from './service-fields/media.ts';
export { fileFilterProblems, isNativeToolKind } from './responses/native-tools.ts';
export type { ServiceBody } from './service-fields/fields.ts';
export type { ProviderBody } from './service-fields/preferences.ts';
export { isPluginOn, type PluginBody, pluginIds } from './plugins/index.ts';
export {
  type GivenDefault,
  type PluginDefault,
  pluginDefaultProblems,
  readDefaultEntry,
  readPluginDefaults,
  writeDefaultEntry,
} from './plugins/defaults.ts';
export { isToolKind, type ToolChoiceBody } from './responses/tool-choice.ts';
export type {
  CustomToolBody,
  FunctionToolBody,
  NamespaceBody,
  ToolBody,
} from './responses/tools.ts';
