/** The promise's value, or 'timeout'. The work goes on; only the waiting ends. */
export async function within<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
): Promise<Value | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
