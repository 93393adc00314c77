import { type StatsListener, unwatchFile, watchFile } from 'node:fs';

const intervalMs = 1_000;

/** Calls back when a file has changed, or another is in its place: looked at once a second. Answers how to end that. */
export function watchFileChanges(path: string, onChange: () => void): () => void {
  const listener: StatsListener = (now, before) => {
    const isSame =
      now.mtimeMs === before.mtimeMs && now.ino === before.ino && now.size === before.size;
    if (!isSame) onChange();
  };
  watchFile(path, { interval: intervalMs, persistent: false }, listener);
  return () => unwatchFile(path, listener);
}
