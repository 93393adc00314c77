import { type LogOutput, logOutput } from './log-output.ts';

/** Only these fields are ever logged: a body, a header or a secret has no name here. */
export interface LogFields {
  readonly requestId?: string;
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly generationId?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly stream?: string;
  readonly projection?: string;
  readonly eventId?: string;
  readonly usageId?: string;
  readonly address?: string;
  readonly count?: number;
  /** Name, message and stack of our own errors; the cause's name and message only. */
  readonly error?: unknown;
}

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

const ranks: Readonly<Record<LogLevel, number>> = {
  debug: 0,
  info: 1,
  warn: 2,
  error: 3,
  silent: 4,
};

/**
 * JSON lines on stdout or at the end of a file, as `logOutput` has it: logging never fails. A warning
 * or an error is written at once, with what came before it; other lines within 100 ms.
 */
export function createLogger(options: {
  readonly service: string;
  readonly level: LogLevel;
  readonly file?: string;
  readonly fileBytesMax?: number;
}): Logger {
  const { service } = options;
  const output: LogOutput = logOutput(options.file, options.fileBytesMax);
  const at = (level: Exclude<LogLevel, 'silent'>) => {
    const isEnabled = ranks[level] >= ranks[options.level];
    const isUrgent = ranks[level] >= ranks.warn;
    return (message: string, fields: LogFields = {}) => {
      if (!isEnabled) return;
      output.write(`${JSON.stringify(lineOf(level, service, message, fields))}\n`);
      if (isUrgent) output.flush();
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

type Line = Readonly<Record<'level' | 'time' | 'service' | keyof LogFields | 'msg', unknown>>;

/** Each field by its name, whatever else is there: that is the list of what may be logged. */
function lineOf(level: LogLevel, service: string, message: string, fields: LogFields): Line {
  return {
    level,
    time: new Date().toISOString(),
    service,
    requestId: fields.requestId,
    route: fields.route,
    method: fields.method,
    status: fields.status,
    durationMs: fields.durationMs,
    generationId: fields.generationId,
    model: fields.model,
    provider: fields.provider,
    outcome: fields.outcome,
    code: fields.code,
    stream: fields.stream,
    projection: fields.projection,
    eventId: fields.eventId,
    usageId: fields.usageId,
    address: fields.address,
    count: fields.count,
    error: 'error' in fields ? describe(fields.error) : undefined,
    msg: message,
  };
}

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const causedBy = cause instanceof Error ? { cause: `${cause.name}: ${cause.message}` } : {};
  return { name, message, stack, ...causedBy };
}
