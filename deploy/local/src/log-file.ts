import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createLogger, type Logger } from '@sluice/logging';
import type { LocalSettings } from './settings.ts';

const logBytesMax = 32 * 1024 * 1024;

/** Makes the folder of a log file, and puts a file that has grown long aside: one older is kept. */
export async function prepareLogFile(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const bytes = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  if (bytes > logBytesMax) await rename(path, `${path}.1`);
  return path;
}

/** JSON lines in `<name>.log` of the folder, or on stdout when the settings say so. */
export async function openLogger(
  settings: LocalSettings,
  folder: string,
  name: string,
): Promise<Logger> {
  const level = settings.SLUICE_LOG_LEVEL;
  if (settings.SLUICE_LOG === 'stdout') return createLogger({ service: name, level });
  const file = await prepareLogFile(join(folder, `${name}.log`));
  return createLogger({ service: name, level, file, fileBytesMax: logBytesMax });
}

/** The destination of a child process's lines. */
export async function openLineLog(path: string): Promise<(line: string) => void> {
  const file = createWriteStream(await prepareLogFile(path), { flags: 'a', mode: 0o600 });
  file.on('error', () => undefined);
  return (line) => void file.write(`${line}\n`);
}
