import { join } from 'node:path';
import { parseArgs } from 'node:util';

export interface CommandLine {
  readonly directory: string;
  readonly port: number;
  readonly host: string;
  readonly appendBytesMax: number | undefined;
  /** Where the password of the node and its own authority are. */
  readonly secrets: string;
  /** A directory with `node.crt` and `node.key`, used instead of the node's own. */
  readonly certificates: string | undefined;
}

export const usage =
  'usage: npm run eventstore -- --dir DIRECTORY [--port PORT] [--host ADDRESS] ' +
  '[--secrets DIRECTORY] [--tls CERTIFICATES] [--max-append BYTES]';

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
      secrets: { type: 'string' },
      tls: { type: 'string' },
    },
  });
  if (!values.dir) throw new Error('--dir is required.');
  const bytes = values['max-append'];
  return {
    directory: values.dir,
    host: values.host,
    secrets: values.secrets ?? join(values.dir, 'secrets'),
    certificates: values.tls,
    port: wholeNumber('--port', values.port, portMax),
    appendBytesMax: bytes === undefined ? undefined : wholeNumber('--max-append', bytes, 2 ** 28),
  };
}

function wholeNumber(option: string, text: string, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new Error(`${option} must be a whole number up to ${max}, not '${text}'.`);
}
