import { parseCommandLine, usage, type CommandLine } from './command-line.ts';
import { startEventStoreServer, type EventStoreServer } from './server.ts';

const commandLine = orExit(() => parseCommandLine(process.argv.slice(2)), usage);
const server = await start(commandLine);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.stop().then(() => process.exit(0)));
console.error(
  `Event store, embedded node (one process, no cluster, no projections), in ${commandLine.directory}`,
);
if (commandLine.port === 0) console.log(JSON.stringify({ port: server.port, ready: true }));
else console.log(`Listening on esdb://${commandLine.host}:${server.port}?tls=false`);

async function start(options: CommandLine): Promise<EventStoreServer> {
  const { directory, host, port, appendBytesMax } = options;
  const limit = appendBytesMax === undefined ? {} : { appendBytesMax };
  try {
    return await startEventStoreServer({ directory, host, port, ...limit });
  } catch (error) {
    return exit((error as Error).message);
  }
}

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
