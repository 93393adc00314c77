import { join } from 'node:path';
import { parseArgs } from 'node:util';

export interface CommandLine {
  readonly directory: string;
  readonly port: number;
  readonly host: string;
  /** The port of `/metrics` on 127.0.0.1. undefined: it is not served. */
  readonly adminPort: number | undefined;
  readonly appendBytesMax: number | undefined;
  /** Start although acknowledged events are missing at the end of the log. */
  readonly acceptLoss: boolean;
  /** The directory of the node's password and authority. */
  readonly secrets: string;
  /** A directory with `node.crt` and `node.key`, used instead of the node's own. */
  readonly certificates: string | undefined;
  /** Serve without TLS and without a user, on a loopback address. */
  readonly insecure: boolean;
  /** The process that started this one makes it fail, over their IPC channel. */
  readonly faults: boolean;
}

export const usage =
  'usage: npm run eventstore -- --dir DIRECTORY [--port PORT] [--host ADDRESS] ' +
  '[--secrets DIRECTORY] [--tls CERTIFICATES] ' +
  '[--max-append BYTES] [--admin-port PORT] [--accept-loss] [--insecure] [--faults]';

const defaultPort = '2113';
const portMax = 65_535;

/** Throws an error with one sentence. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values } = parseArgs({
    args: [...args],
    options: {
      dir: { type: 'string' },
      port: { type: 'string', default: defaultPort },
      host: { type: 'string', default: '127.0.0.1' },
      'max-append': { type: 'string' },
      'admin-port': { type: 'string' },
      'accept-loss': { type: 'boolean', default: false },
      secrets: { type: 'string' },
      tls: { type: 'string' },
      insecure: { type: 'boolean', default: false },
      faults: { type: 'boolean', default: false },
    },
  });
  if (!values.dir) throw new Error('--dir is required.');
  return {
    directory: values.dir,
    host: values.host,
    secrets: values.secrets ?? join(values.dir, 'secrets'),
    certificates: values.tls,
    insecure: values.insecure,
    faults: values.faults,
    acceptLoss: values['accept-loss'],
    adminPort: optionalNumber('--admin-port', values['admin-port'], portMax),
    port: wholeNumber('--port', values.port, portMax),
    appendBytesMax: optionalNumber('--max-append', values['max-append'], 2 ** 28),
  };
}

function optionalNumber(option: string, text: string | undefined, max: number) {
  return text === undefined ? undefined : wholeNumber(option, text, max);
}

function wholeNumber(option: string, text: string, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new Error(`${option} must be a whole number up to ${max}, not '${text}'.`);
}
