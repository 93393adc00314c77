import { answerCommands } from '../../harness/commanded-process.ts';
import { readSlowly } from './read-slowly.ts';

/** The slow clients of a bench as a process of their own. */
answerCommands(readSlowly);
