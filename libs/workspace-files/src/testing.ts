export { inMemoryFiles } from './testing/in-memory-files.ts';
