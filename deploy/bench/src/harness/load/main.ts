import { answerCommands } from '../commanded-process.ts';
import { runClosedLoop } from './closed-loop.ts';
import type { LoadCommand } from './load.ts';
import { runOpenLoop } from './open-loop.ts';
import type { LoadResult } from './tally.ts';

/** The load generator of a bench as a process of its own. */
answerCommands(async (command: LoadCommand): Promise<LoadResult> => {
  const target = { ...command, request: Buffer.from(command.request) };
  const { requestsPerSecond } = command;
  if (requestsPerSecond === undefined) return await runClosedLoop(target);
  return await runOpenLoop({ ...target, requestsPerSecond });
});
