import { readFile } from 'node:fs/promises';

const lookMs = 50;
const processesMax = 4_096;

/**
 * Ends a tree of processes that uses more memory than it may: for machines on which this process may make no control
 * group. Returns the end of the watch, which says whether it ended the tree.
 */
export function watchMemory(
  pid: number,
  { bytesMax, kill }: { readonly bytesMax: number; readonly kill: (reason: string) => void },
): () => Promise<string | undefined> {
  let reason: string | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const bytes = await memoryOf(pid);
    if (stopped) return;
    if (bytes > bytesMax) kill((reason = `it used more than ${bytesMax} bytes of memory`));
    else timer = setTimeout(() => void look(), lookMs);
  };
  void look();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    return reason;
  };
}

async function memoryOf(pid: number): Promise<number> {
  let bytes = 0;
  const waiting = [pid];
  for (let seen = 0; waiting.length > 0 && seen < processesMax; seen++) {
    const next = waiting.pop() as number;
    const [status, children] = await Promise.all([
      readText(`/proc/${next}/status`),
      readText(`/proc/${next}/task/${next}/children`),
    ]);
    for (const found of status.matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB/gm))
      bytes += 1_024 * Number(found[1]);
    waiting.push(...children.split(' ').filter(Boolean).map(Number));
  }
  return bytes;
}

const readText = (path: string) => readFile(path, 'utf8').catch(() => '');
