const dayMs = 86_400_000;

/** Calls back when a day of UTC begins; answers how to end that. */
export function atMidnight(nowMs: () => number, listener: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(
      () => {
        wait();
        listener();
      },
      dayMs - (nowMs() % dayMs),
    ).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
