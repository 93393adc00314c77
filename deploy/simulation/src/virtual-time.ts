import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { EventQueue, type TimedEvent } from './event-queue.ts';

/** One run of a process: when it is over, none of its timers fires any more. */
export interface Life {
  isOver: boolean;
  /** It ended because its machine lost its power. */
  hasLostPower?: boolean;
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  delay: timersPromises.setTimeout,
  performanceNow: performance.now.bind(performance),
};

/**
 * A clock that stands still while anything runs, and then jumps to what is due next. Whatever is started
 * `within` a life has only this clock: `setTimeout`, `setInterval`, the promised `setTimeout` and
 * `performance.now` are this one's, also deep inside the services. Code outside of it keeps the real one.
 */
export class VirtualTime {
  readonly #startMs: number;
  readonly #lives = new AsyncLocalStorage<Life>();
  readonly #queue = new EventQueue();
  #nowMs: number;

  constructor(startMs: number) {
    this.#startMs = startMs;
    this.#nowMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  within<Result>(life: Life, run: () => Result): Result {
    return this.#lives.run(life, run);
  }

  /** Runs it later in the life of the caller, unless that is over by then. */
  after(delayMs: number, run: () => void): TimedEvent {
    const life = this.#lives.getStore();
    if (!life) throw new Error('virtual time passes within a life only');
    return this.#queue.add(this.#nowMs + Math.max(0, delayMs), () => {
      if (!life.isOver) this.#lives.run(life, run);
    });
  }

  async sleep(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => void this.after(delayMs, resolve));
  }

  /** Goes to the next thing that is due and lets all run that follows from it. False: nothing is due. */
  async step(): Promise<boolean> {
    const event = this.#queue.take();
    if (!event) return false;
    this.#nowMs = event.atMs;
    event.run();
    await new Promise((resolve) => real.setImmediate(resolve));
    return true;
  }

  /** Puts the clock in the place of the real one; the answer puts that back. */
  install(): () => void {
    const isVirtual = () => this.#lives.getStore() !== undefined;
    const timeout = (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
      isVirtual()
        ? this.#timer(() => callback(...values), ms, undefined)
        : real.setTimeout(callback, ms, ...values);
    const interval = (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
      isVirtual()
        ? this.#timer(() => callback(...values), ms, ms)
        : real.setInterval(callback, ms, ...values);
    const clear = (timer: unknown) => {
      if (timer instanceof VirtualTimer) timer.clear();
      else real.clearTimeout(timer as NodeJS.Timeout | undefined);
    };
    const delay = async <Value>(
      ms?: number,
      value?: Value,
      options?: { readonly signal?: AbortSignal },
    ): Promise<Value> => {
      if (!isVirtual()) return await real.delay(ms, value, options);
      await this.#delay(ms ?? 0, options?.signal);
      return value as Value;
    };
    const now = () => (isVirtual() ? this.#nowMs - this.#startMs : real.performanceNow());
    replace(globalThis, { setTimeout: timeout, setInterval: interval });
    replace(globalThis, { clearTimeout: clear, clearInterval: clear });
    replace(timersPromises, { setTimeout: delay });
    replace(performance, { now });
    syncBuiltinESMExports();
    return () => {
      const { setTimeout, setInterval, clearTimeout, clearInterval } = real;
      replace(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval });
      replace(timersPromises, { setTimeout: real.delay });
      replace(performance, { now: real.performanceNow });
      syncBuiltinESMExports();
    };
  }

  #timer(run: () => void, ms: number, intervalMs: number | undefined): VirtualTimer {
    return new VirtualTimer((fire, delayMs) => this.after(delayMs, fire), run, ms, intervalMs);
  }

  async #delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const event = this.after(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      const onAbort = () => {
        event.isCancelled = true;
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}

/** A timer of `setTimeout` and `setInterval`. */
class VirtualTimer {
  readonly #schedule: (fire: () => void, delayMs: number) => TimedEvent;
  readonly #run: () => void;
  readonly #ms: number;
  readonly #intervalMs: number | undefined;
  #event: TimedEvent;

  constructor(
    schedule: (fire: () => void, delayMs: number) => TimedEvent,
    run: () => void,
    ms: number,
    intervalMs: number | undefined,
  ) {
    this.#schedule = schedule;
    this.#run = run;
    this.#ms = ms;
    this.#intervalMs = intervalMs;
    this.#event = schedule(this.#fire, ms);
  }

  refresh(): this {
    this.clear();
    this.#event = this.#schedule(this.#fire, this.#ms);
    return this;
  }

  clear(): void {
    this.#event.isCancelled = true;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  readonly #fire = (): void => {
    if (this.#intervalMs !== undefined) this.#event = this.#schedule(this.#fire, this.#intervalMs);
    this.#run();
  };
}

function replace(target: object, members: Readonly<Record<string, unknown>>): void {
  Object.assign(target, members);
}
