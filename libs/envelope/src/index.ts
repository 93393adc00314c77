export { open, rewrap, seal, type Envelope, type Owner } from './envelope.ts';
export { KeyFileProblem } from './key-file.ts';
export {
  UnreadableEnvelope,
  type KeyManagement,
  type UnreadableReason,
  type WrappedKey,
} from './key-management.ts';
export { localKeyManagement, type LocalKeyManagement } from './local-key-management.ts';
export { transitKeyManagement, type TransitOptions } from './transit-key-management.ts';
