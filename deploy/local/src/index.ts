export {
  announcement,
  type ModelList,
  modelToTry,
  modelToTryAt,
  stopHint,
} from './announcement.ts';
export { bootstrapOverRpc, type RemoteBootstrapOptions } from './bootstrap/bootstrap-over-rpc.ts';
export { bootstrap, type BootstrapOptions } from './bootstrap/bootstrap.ts';
export type { Bootstrap } from './bootstrap/bootstrap-file.ts';
export { type LocalConnections, tellConnections } from './connections-file.ts';
export { explain } from './explain.ts';
export {
  type BusAddress,
  eventStoreSecrets,
  type InfrastructureOptions,
  provideEventStore,
  provideNats,
  providePostgres,
  provideSimulator,
  runOnce,
} from './infrastructure.ts';
export { localSecrets, type LocalSecrets } from './local-secrets.ts';
export { openLineLog, openLogger, prepareLogFile } from './log-file.ts';
export { createProgress, type Progress } from './progress.ts';
export { readinessAt, type Readiness } from './readiness.ts';
export { loadLocalSettings, type LocalSettings, wantsSimulator } from './settings.ts';
export { type DegradationOptions, tellDegradation } from './tell-degradation.ts';
export { logFileOf, startServiceProcess } from './service-process.ts';
export { loadAllSettings } from './service-settings.ts';
export { provideSandbox, sandboxEnvironment, tellSandbox } from './sandbox.ts';
export { type Running, supervise, type Supervised } from './supervised.ts';
