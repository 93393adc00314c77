import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import { parseCommandLine, usage, type CommandLine } from './command-line.ts';
import type { KeyPair } from './access/certificates.ts';
import { startEventStoreServer, type EventStoreServer } from './server.ts';

// What it has to say about a port in use we say ourselves, in one sentence.
setLogVerbosity(logVerbosity.NONE);
const commandLine = orExit(() => parseCommandLine(process.argv.slice(2)), usage);
const server = await start(commandLine);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.stop().then(() => process.exit(0)));
console.error(
  `Event store, embedded node (one process, no cluster, no projections), in ${commandLine.directory}; ` +
    `its user is admin, its password and ca.crt are in ${commandLine.secrets}`,
);
if (commandLine.port === 0) console.log(JSON.stringify({ port: server.port, ready: true }));
else console.log(`Listening on esdb://${commandLine.host}:${server.port}?tls=true`);

async function start(options: CommandLine): Promise<EventStoreServer> {
  const { directory, host, port, appendBytesMax, secrets, certificates } = options;
  const limit = appendBytesMax === undefined ? {} : { appendBytesMax };
  try {
    const keyPair = certificates === undefined ? undefined : await readKeyPair(certificates);
    const secretsDirectory = secrets;
    return await startEventStoreServer({
      directory,
      secretsDirectory,
      host,
      port,
      keyPair,
      ...limit,
    });
  } catch (error) {
    return exit((error as Error).message);
  }
}

async function readKeyPair(directory: string): Promise<KeyPair> {
  const [certificate, privateKey] = await Promise.all([
    readFile(join(directory, 'node.crt'), 'utf8'),
    readFile(join(directory, 'node.key'), 'utf8'),
  ]);
  return { certificate, privateKey };
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
