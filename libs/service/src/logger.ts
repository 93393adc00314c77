import { renameSync, statSync } from 'node:fs';
import { destination, pino, stdTimeFunctions } from 'pino';

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

const fieldNames: ReadonlySet<string> = new Set<keyof LogFields>([
  'requestId',
  'route',
  'method',
  'status',
  'durationMs',
  'generationId',
  'model',
  'provider',
  'outcome',
  'code',
  'stream',
  'projection',
  'eventId',
  'usageId',
  'address',
  'count',
]);

const waitingBytesMax = 1024 * 1024;
/** A write costs more than what it writes: lines go out together when they are so many bytes or so old. */
const gatheredBytesMax = 8 * 1024;
const gatherMs = 100;
const stdout = 1;

/**
 * JSON lines on stdout, or at the end of a file that only its owner may read. Logging never fails:
 * lines that a full disk does not take wait for it, up to 1 MiB, and beyond that are dropped. A warning or an
 * error is written at once, with what came before it; other lines within 100 ms. A file that has grown to its
 * bound is put aside as `<file>.1`, in place of the one before.
 */
export function createLogger(options: {
  readonly service: string;
  readonly level: LogLevel;
  readonly file?: string;
  readonly fileBytesMax?: number;
}): Logger {
  const output = destination({
    dest: options.file ?? stdout,
    sync: true,
    minLength: gatheredBytesMax,
    periodicFlush: gatherMs,
    mode: 0o600,
    maxLength: waitingBytesMax,
  });
  // Without a listener it would end the process.
  output.on('error', () => undefined);
  if (options.file !== undefined) bound(output, options.file, options.fileBytesMax);
  const target = pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    },
    output,
  );
  writtenAtExit.add(output);
  const quiet = (level: 'debug' | 'info') => (message: string, fields?: LogFields) => {
    if (target.isLevelEnabled(level)) target[level](allowed(fields), message);
  };
  const urgent = (level: 'warn' | 'error') => (message: string, fields?: LogFields) => {
    target[level](allowed(fields), message);
    output.flush();
  };
  return {
    debug: quiet('debug'),
    info: quiet('info'),
    warn: urgent('warn'),
    error: urgent('error'),
  };
}

const writtenAtExit = new Set<ReturnType<typeof destination>>();
process.on('exit', () => {
  for (const output of writtenAtExit) output.flush();
});

const fileBytesMaxDefault = 32 * 1024 * 1024;

function bound(
  output: ReturnType<typeof destination>,
  file: string,
  bytesMax = fileBytesMaxDefault,
): void {
  let bytes = statSync(file).size;
  const putAside = () => {
    bytes = 0;
    try {
      renameSync(file, `${file}.1`);
      output.reopen();
    } catch {
      // It goes on growing then: a line is worth more than the bound.
    }
  };
  if (bytes >= bytesMax) putAside();
  output.on('write', (written: number) => {
    bytes += written;
    if (bytes >= bytesMax) putAside();
  });
}

function allowed(fields: LogFields = {}): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name in fields) if (fieldNames.has(name)) kept[name] = fields[name as keyof LogFields];
  if ('error' in fields) kept['error'] = describe(fields.error);
  return kept;
}

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const causedBy = cause instanceof Error ? { cause: `${cause.name}: ${cause.message}` } : {};
  return { name, message, stack, ...causedBy };
}
