export { createLogger, type LogFields, type Logger, type LogLevel } from './logger.ts';
