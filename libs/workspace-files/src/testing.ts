export { inMemoryFiles, type InMemoryFiles } from './testing/in-memory-files.ts';
