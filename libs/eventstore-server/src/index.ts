export {
  startEventStoreServer,
  type EventStoreServer,
  type EventStoreServerOptions,
  type ServerTls,
} from './server.ts';
export {
  openEventLog,
  type EventLog,
  type EventLogOptions,
  type NewStreamEvent,
} from './open-event-log.ts';
export { noFaults, type FaultSwitches } from './fault-switches.ts';
export type { Credentials } from './rpc/authentication.ts';
export { DirectoryInUse } from './log/directory-lock.ts';
export { DamagedLog } from './log/recovery.ts';
