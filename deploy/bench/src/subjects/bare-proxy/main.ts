import { answerCommands } from '../../harness/commanded-process.ts';
import { startBareProxy } from './bare-proxy.ts';

const functions = { start: startBareProxy };
export type BareProxyFunctions = typeof functions;

/** The bare proxy as a process of its own. */
answerCommands(functions);
