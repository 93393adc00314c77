export {
  checkSettings,
  InvalidConfig,
  loadConfig,
  secret,
  Secret,
  type Config,
  type Env,
} from './config.ts';
export {
  aggregateSettings,
  busSettings,
  eventStoreSettings,
  lastKnownSettings,
  logLevelSetting,
  namespaceSetting,
  processSettings,
  telemetryOptions,
  telemetrySettings,
  readModelSettings,
  rpcServerSettings,
} from './process-settings.ts';
export { readinessOf, type Service } from './service.ts';
export { startAdmin, type AdminOptions, type AdminServer } from './admin.ts';
export { connectingMax } from './connecting.ts';
export { Lifecycle, onHangup, untilSignal, type Stoppable } from './lifecycle.ts';
