export {
  type ContentError,
  type Contents,
  type ContentMessage,
  type ContentPart,
  type FailedAttempt,
  type MediaPart,
  type ToolDefinition,
} from './contents.ts';
export { contentsOf, type Said } from './contents-of.ts';
export { contentBytesMax, decodeContents, encodeContents } from './encode.ts';
