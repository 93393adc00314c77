export {
  startEventStoreServer,
  type EventStoreServer,
  type EventStoreServerOptions,
} from './server.ts';
export { DirectoryInUse } from './log/directory-lock.ts';
export { DamagedLog } from './log/recovery.ts';
