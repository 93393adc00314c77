export {
  inspectApiKey,
  maskApiKey,
  mintApiKey,
  type ApiKeyKind,
  type InspectedApiKey,
} from './api-key.ts';
export {
  hashOfSuppliedKey,
  inspectPresentedKey,
  isSuppliedKey,
  maskSuppliedKey,
} from './supplied-key.ts';
export { numericIdEnd, numericIdOf } from './numeric-id.ts';
