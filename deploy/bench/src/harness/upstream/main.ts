import { answerCommands } from '../commanded-process.ts';
import { type Behaviour, UpstreamServer } from './upstream-server.ts';

const server = new UpstreamServer();
const functions = {
  /** Listens on a free port and returns it. */
  listen: () => server.listen(),
  behave: async (behaviour: Behaviour) => server.behave(behaviour),
  /** Returns the number of whole requests that the upstream has received so far. */
  requests: async () => server.requests,
};
export type UpstreamFunctions = typeof functions;

/** The upstream of a bench as a process of its own. */
answerCommands(functions);
