export {
  startEventStoreServer,
  type EventStoreServer,
  type EventStoreServerOptions,
} from './server.ts';
export {
  openEventLog,
  type EventLog,
  type EventLogOptions,
  type NewStreamEvent,
} from './open-event-log.ts';
export { noFaults, type ElectionRefusal, type FaultSwitches } from './fault-switches.ts';
export type { FaultAnswer, FaultMessage } from './fault-control.ts';
export { nodeUrl, type NodeAddress } from './access/node-access.ts';
export { keepCertificates, type KeyPair } from './access/certificates.ts';
export { DirectoryInUse } from './log/directory-lock.ts';
export { DamagedLog } from './log/recovery.ts';
export { observeRecovery } from './observe-recovery.ts';
export { LostEvents, type Recovery } from './log/lost-events.ts';
