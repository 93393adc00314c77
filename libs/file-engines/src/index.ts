export { createFileEngine, type FileEngineOptions } from './create-file-engine.ts';
export type {
  Dial,
  EngineContent,
  EngineFile,
  EngineOutcome,
  FileEngine,
  FileEngineName,
} from './file-engine.ts';
