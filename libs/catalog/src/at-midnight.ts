const dayMs = 86_400_000;
/** Milliseconds between looks at the wall clock, which may have been set. */
const lookMsMax = 60_000;

/** Calls back within a minute after a day of UTC begins; answers how to end that. */
export function atMidnight(nowMs: () => number, listener: () => void): () => void {
  const today = () => Math.floor(nowMs() / dayMs);
  let day = today();
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(look, Math.min(lookMsMax, dayMs - (nowMs() % dayMs))).unref();
  };
  const look = () => {
    wait();
    if (today() === day) return;
    day = today();
    listener();
  };
  wait();
  return () => clearTimeout(timer);
}
