export { SetupProblem } from './setup-problem.ts';
export { lockDataDirectory, type DataDirectory } from './data-directory.ts';
export { keptSecret, readPrivateFile, writePrivateFile } from '@sluice/private-files';
export { freePort, isFreePort, requireFreePort } from './free-port.ts';
export { endLeftover, readPid, type Leftover } from './leftover.ts';
export {
  startWatchedProcess,
  type WatchedProcess,
  type WatchedProcessOptions,
} from './watched-process.ts';
export { startPostgres, type EmbeddedPostgres, type PostgresOptions } from './postgres/postgres.ts';
export { startNats, type EmbeddedNats, type NatsOptions } from './nats/nats.ts';
export { ensureNatsServer } from './nats/install.ts';
export { startServerProcess, type ServerProcessOptions } from './server-process.ts';
export { signalProcess, suspendProcess } from './suspend-process.ts';
export {
  type DebianPackage,
  unpackNewerDebianPackage,
  unpackOwnPackage,
} from './debian/unpack-package.ts';
export { toolsFolder } from './nats/locate.ts';
