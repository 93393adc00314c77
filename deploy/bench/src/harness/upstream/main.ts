import { answerCommands } from '../commanded-process.ts';
import type { UpstreamAnswer, UpstreamCommand } from './upstream.ts';
import { UpstreamServer } from './upstream-server.ts';

/** The upstream of a bench as a process of its own. */
const server = new UpstreamServer();
const port = await server.listen();
answerCommands(async (command: UpstreamCommand): Promise<UpstreamAnswer> => {
  if (command.behaviour) server.behave(command.behaviour);
  return { port, requests: server.requests };
});
