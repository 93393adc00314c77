export { anthropicErrorType, anthropicMessage } from './anthropic-error.ts';
export {
  type ErrorContext,
  type ErrorFormat,
  errorFormats,
  errorReply,
  failurePart,
  faultOf,
} from './error-reply.ts';
export { errorEnvelope, type ErrorEnvelope } from './envelope.ts';
export { isCodex } from './codex-error.ts';
