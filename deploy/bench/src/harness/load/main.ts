import { answerCommands } from '../commanded-process.ts';
import { runClosedLoop } from './closed-loop.ts';
import { runOpenLoop } from './open-loop.ts';
import { readSlowly } from './read-slowly.ts';

const functions = { closedLoop: runClosedLoop, openLoop: runOpenLoop, readSlowly };
export type LoadFunctions = typeof functions;

/** The load generator of a bench as a process of its own. */
answerCommands(functions);
