/** Work that callers with the same key share while it runs. */
export type SharedWork<Value> = (
  key: string,
  /** Ends when its signal aborts: the last caller has left. */
  work: (signal: AbortSignal) => Promise<Value>,
  caller: AbortSignal,
) => Promise<Value>;

interface Running<Value> {
  readonly result: Promise<Value>;
  readonly end: () => void;
  callers: number;
}

/** Throws the reason of the caller's signal to a caller that leaves; the work goes on for the others. */
export function sharedWork<Value>(): SharedWork<Value> {
  const running = new Map<string, Running<Value>>();
  function begin(key: string, work: (signal: AbortSignal) => Promise<Value>): Running<Value> {
    const ending = new AbortController();
    const forget = () => {
      if (running.get(key) === begun) running.delete(key);
    };
    const end = () => {
      forget();
      ending.abort();
    };
    const begun: Running<Value> = { result: work(ending.signal), end, callers: 0 };
    begun.result.then(forget, forget);
    running.set(key, begun);
    return begun;
  }
  return async (key, work, caller) => {
    const shared = running.get(key) ?? begin(key, work);
    shared.callers++;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(caller.reason);
    caller.addEventListener('abort', leave, { once: true });
    if (caller.aborted) leave();
    try {
      return await Promise.race([shared.result, left.promise]);
    } finally {
      caller.removeEventListener('abort', leave);
      if (--shared.callers === 0) shared.end();
    }
  };
}
