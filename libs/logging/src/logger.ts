import { openDestination } from './destination.ts';

/** Only these fields are ever logged: a body, a header or a secret has no name here. */
export interface LogFields {
  readonly requestId?: string;
  /** The trace of the request, by which its spans are found. */
  readonly traceId?: string;
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly generationId?: string;
  readonly destinationId?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly stream?: string;
  readonly projection?: string;
  readonly eventId?: string;
  readonly usageId?: string;
  readonly address?: string;
  readonly count?: number;
  /** A day of UTC: `2026-11-18`. */
  readonly day?: string;
  /** Name, message and stack of our own errors; the cause's name and message only. */
  readonly error?: unknown;
}

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof levels)[number];
type LineLevel = Exclude<LogLevel, 'silent'>;

/**
 * Writes JSON lines to stdout or to a file. A warning or an error is written at once, with the lines before it;
 * other lines within 100 ms. Logging never fails.
 */
export function createLogger(options: {
  readonly service: string;
  readonly level: LogLevel;
  readonly file?: string;
  readonly fileBytesMax?: number;
}): Logger {
  const { service, level: least } = options;
  const destination = openDestination(options.file, options.fileBytesMax);
  const writer = (level: LineLevel) => {
    if (levels.indexOf(level) < levels.indexOf(least)) return () => {};
    const isUrgent = level === 'warn' || level === 'error';
    return (msg: string, fields: LogFields = {}) => {
      destination.write(lineOf({ level, service, msg }, fields));
      if (isUrgent) destination.flush();
    };
  };
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  };
}

interface Line {
  readonly level: LineLevel;
  readonly service: string;
  readonly msg: string;
}

/** Picks each field by its name, whatever else is there: this is the list of what may be logged. */
function lineOf({ level, service, msg }: Line, fields: LogFields): string {
  const line = {
    level,
    time: new Date().toISOString(),
    service,
    requestId: fields.requestId,
    traceId: fields.traceId,
    route: fields.route,
    method: fields.method,
    status: fields.status,
    durationMs: fields.durationMs,
    generationId: fields.generationId,
    destinationId: fields.destinationId,
    model: fields.model,
    provider: fields.provider,
    outcome: fields.outcome,
    code: fields.code,
    reason: fields.reason,
    stream: fields.stream,
    projection: fields.projection,
    eventId: fields.eventId,
    usageId: fields.usageId,
    address: fields.address,
    count: fields.count,
    day: fields.day,
    error: 'error' in fields ? describe(fields.error) : undefined,
    msg,
  } satisfies Record<keyof LogFields | keyof Line | 'time', unknown>;
  return `${JSON.stringify(line)}\n`;
}

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const causedBy = cause instanceof Error ? { cause: `${cause.name}: ${cause.message}` } : {};
  return { name, message, stack, ...causedBy };
}
