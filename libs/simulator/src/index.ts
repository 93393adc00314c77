export { startSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
export type { Receipt } from './receipts.ts';
export { agentScript } from './agent.ts';
export type { Script, Scripted } from './script.ts';
export type { OutputPart } from './generation.ts';
export type { Prompt, Tool } from './prompt.ts';
export { corpus, hostEnd as corpusHostEnd, type Page } from './web/corpus.ts';
export { searchesFileOf, type SearchReceipt } from './web/search-receipts.ts';
