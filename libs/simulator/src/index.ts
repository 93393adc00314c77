export { startSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
export type { Receipt } from './receipts.ts';
