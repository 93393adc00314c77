import { once } from 'node:events';
import type { Instance } from '@sluice/acceptance/instance';

/** The setting with which a product lets its heap be looked at; nobody looks while times are taken. */
export const inspectable = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;

const answerMsMax = 60_000;

/** Bytes in use on the heap of an inspectable instance, right after garbage was collected. */
export async function heapBytesOf(instance: Instance): Promise<number> {
  const [, url] = /Debugger listening on (ws:\S+)/.exec(instance.output()) ?? [];
  if (url === undefined) throw new Error('The instance cannot be looked into');
  const socket = new WebSocket(url);
  const signal = AbortSignal.timeout(answerMsMax);
  let last = 0;
  const call = async (method: string): Promise<unknown> => {
    last += 1;
    const id = last;
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [{ data }] = (await once(socket, 'message', { signal })) as [{ data: string }];
      const answer = JSON.parse(data) as { readonly id?: number; readonly result?: unknown };
      if (answer.id === id) return answer.result;
    }
  };
  try {
    await once(socket, 'open', { signal });
    await call('HeapProfiler.enable');
    await call('HeapProfiler.collectGarbage');
    await call('HeapProfiler.collectGarbage');
    const { usedSize } = (await call('Runtime.getHeapUsage')) as { readonly usedSize: number };
    await call('HeapProfiler.disable');
    return usedSize;
  } finally {
    socket.close();
  }
}
