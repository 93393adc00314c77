export {
  inspectApiKey,
  maskApiKey,
  mintApiKey,
  type ApiKeyKind,
  type InspectedApiKey,
} from './api-key.ts';
