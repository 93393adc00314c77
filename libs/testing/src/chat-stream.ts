export { type ChatRule, chatRules } from './chat-stream/rules.ts';
export { checkedChunks, readChunks } from './chat-stream/checked-chunks.ts';
export { ChunkChecker, type Chunk } from './chat-stream/chunk-checker.ts';
