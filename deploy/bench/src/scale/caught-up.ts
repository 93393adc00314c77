const pollMs = 10_000;
const askingMsMax = 5_000;
const lagPattern = /^projection_lag_seconds\{.*projection="([^"]+)".*\} (\S+)/gm;

/** Says now and then which projections of a product that starts are behind, until the returned is called. */
export function catchingUp(adminUrl: string, onProgress: (line: string) => void): () => void {
  const look = async () => {
    const signal = AbortSignal.timeout(askingMsMax);
    const answer = await fetch(`${adminUrl}/metrics`, { signal });
    const lags = (await answer.text()).matchAll(lagPattern);
    const behind = [...lags].flatMap(([, name = '', lag]) => (Number(lag) > 0 ? [name] : []));
    if (behind.length > 0) onProgress(`  behind: ${behind.join(', ')}`);
  };
  // It may not be there yet.
  const timer = setInterval(() => void look().catch(() => undefined), pollMs);
  return () => clearInterval(timer);
}
