import { unwatchFile, watchFile } from 'node:fs';

const intervalMs = 1_000;

/** Calls back when a file has changed; it is looked at once a second. Answers how to end that. */
export function watchFileChanges(path: string, onChange: () => void): () => void {
  const listener = (now: { readonly mtimeMs: number }, before: { readonly mtimeMs: number }) => {
    if (now.mtimeMs !== before.mtimeMs) onChange();
  };
  watchFile(path, { interval: intervalMs, persistent: false }, listener);
  return () => unwatchFile(path, listener);
}
