/** Wakes those who wait for more events. A wake-up says nothing but "look again". */
export class Watch {
  readonly #waiting = new Set<() => void>();

  wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }

  /** Resolves at the next wake-up, or when the signal aborts. Registered before it first waits. */
  async wait(signal: AbortSignal): Promise<void> {
    await untilCalled(signal, (resolve) => {
      this.#waiting.add(resolve);
      return () => this.#waiting.delete(resolve);
    });
  }
}

/** Waits for a callback or the signal, and leaves no listener behind on either. */
export async function untilCalled(
  signal: AbortSignal,
  register: (resolve: () => void) => () => void,
): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const aborted = () => resolve();
  const unregister = register(resolve);
  signal.addEventListener('abort', aborted);
  await promise;
  signal.removeEventListener('abort', aborted);
  unregister();
}
