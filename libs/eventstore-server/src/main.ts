import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import { parseCommandLine, usage } from './command-line.ts';
import { startNode } from './start-node.ts';

// The log is for our user alone, whatever the umask of the caller is.
process.umask(0o077);
// Sluice itself reports a port in use, in one sentence.
setLogVerbosity(logVerbosity.NONE);
const commandLine = orExit(() => parseCommandLine(process.argv.slice(2)), usage);
const node = await startNode(commandLine).catch(({ message }: Error) => exit(message));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void node.stop().then(() => process.exit(0)));
const access = commandLine.insecure
  ? 'WITHOUT TLS and without a user: every process of this machine may write to it'
  : `its user is admin, its password and ca.crt are in ${commandLine.secrets}`;
console.error(
  `Event store, embedded node (one process, no cluster, no projections), in ${commandLine.directory}; ${access}`,
);
if (commandLine.port === 0) console.log(JSON.stringify({ port: node.port, ready: true }));
else
  console.log(`Listening on esdb://${commandLine.host}:${node.port}?tls=${!commandLine.insecure}`);

function orExit<Value>(make: () => Value, hint: string): Value {
  try {
    return make();
  } catch (error) {
    return exit(`${(error as Error).message} ${hint}`);
  }
}

function exit(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
