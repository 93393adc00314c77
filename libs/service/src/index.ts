export { answerWithin } from './answer-within.ts';
export { InvalidConfig, loadConfig, secret, Secret, type Config } from './config.ts';
export {
  busSettings,
  eventStoreSettings,
  lastKnownSettings,
  logLevelSetting,
  namespaceSetting,
  processSettings,
  readModelSettings,
  rpcServerSettings,
} from './process-settings.ts';
export { createLogger, type LogFields, type Logger, type LogLevel } from './logger.ts';
export { millisecondsOf, systemClock, type Clock } from './clock.ts';
export { derivedId, eventId, systemIds, type Ids } from './ids.ts';
export { instantText } from './instant-text.ts';
export { backgroundThreadsGiveWay } from './background-threads.ts';
export { readinessOf, type Service } from './service.ts';
export { startAdmin, type AdminOptions, type AdminServer } from './admin.ts';
export { connectingMax } from './connecting.ts';
export { Lifecycle, onHangup, untilSignal, type Stoppable } from './run.ts';
export { retryPause } from './retry-pause.ts';
export { releaseStartupMemory } from './startup-memory.ts';
export { Turnstile, type Crowded, type Laps, type TurnstileOptions } from './turnstile.ts';
