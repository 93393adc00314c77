/** A job that waits for a thread or has one. */
export interface Turn {
  readonly account: string;
  /** It took longer than a quantum: it has one of the slow places. */
  isSlow: boolean;
}

export interface TurnsOptions {
  /** Jobs that run at once, before one is found to be slow. */
  readonly places: number;
  /** Jobs that run at once after that. */
  readonly slowPlaces: number;
  readonly waitingMax: number;
  readonly waitingPerAccountMax: number;
}

interface Account<Job> {
  readonly waiting: Job[];
  running: number;
  runningSlow: number;
  /** Milliseconds of threads, as a virtual time: the account with the least has the next turn. */
  spentMs: number;
}

/**
 * Decides which job runs next. Accounts take turns: the one whose jobs took the least time is first, whatever the
 * number of its jobs. An account leaves at least one place to others. A slow job moves to a slow place, so that the
 * places of quick jobs come free again.
 */
export class Turns<Job extends Turn> {
  readonly #options: TurnsOptions;
  readonly #accounts = new Map<string, Account<Job>>();
  #running = 0;
  #runningSlow = 0;
  #waiting = 0;
  /** An account that comes anew has no claim for the time before. */
  #floorMs = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /**
   * Adds a job. Returns the job that has no room: this one if its account has too many, else the last one of the
   * account with the most. undefined: all have room.
   */
  add(job: Job): Job | undefined {
    const { waitingMax, waitingPerAccountMax } = this.#options;
    const account = this.#accountOf(job);
    if (account.waiting.length >= waitingPerAccountMax) return job;
    account.waiting.push(job);
    this.#waiting++;
    if (this.#waiting <= waitingMax) return undefined;
    let largest = account;
    for (const one of this.#accounts.values())
      if (one.waiting.length > largest.waiting.length) largest = one;
    const displaced = largest.waiting.pop();
    this.#waiting--;
    return displaced;
  }

  /** Takes a waiting job out. */
  remove(job: Job): void {
    const account = this.#accounts.get(job.account);
    const place = account?.waiting.indexOf(job) ?? -1;
    if (!account || place === -1) return;
    account.waiting.splice(place, 1);
    this.#waiting--;
    this.#forgetIdle(job.account, account);
  }

  /** Returns the job that starts now; undefined: none may. */
  next(): Job | undefined {
    let best: { readonly account: Account<Job>; readonly place: number } | undefined;
    for (const account of this.#accounts.values()) {
      const place = account.waiting.findIndex((job) => this.#mayStart(account, job));
      if (place === -1) continue;
      if (!best || isBefore(account, best.account)) best = { account, place };
    }
    const [job] = best?.account.waiting.splice(best.place, 1) ?? [];
    if (!best || !job) return undefined;
    this.#waiting--;
    this.#count(best.account, job, 1);
    this.#floorMs = Math.max(this.#floorMs, best.account.spentMs);
    return job;
  }

  /** Moves a running job to a slow place. Returns false if there is none for its account. */
  slow(job: Job): boolean {
    const account = this.#accountOf(job);
    if (!this.#hasSlowPlace(account)) return false;
    this.#count(account, job, -1);
    job.isSlow = true;
    this.#count(account, job, 1);
    return true;
  }

  /** Ends a running job that took so long. */
  end(job: Job, tookMs: number): void {
    const account = this.#accountOf(job);
    account.spentMs += tookMs;
    this.#count(account, job, -1);
    this.#forgetIdle(job.account, account);
  }

  /** Puts a job that was interrupted back before all others of its account. It needs a slow place now. */
  putBack(job: Job): void {
    job.isSlow = true;
    this.#accountOf(job).waiting.unshift(job);
    this.#waiting++;
  }

  /** Returns true if another account waits for a place that a running job has. */
  isWanted(job: Job): boolean {
    for (const [name, account] of this.#accounts)
      if (name !== job.account && account.waiting.some(({ isSlow }) => isSlow === job.isSlow))
        return true;
    return false;
  }

  /** Takes out all waiting jobs. */
  clear(): readonly Job[] {
    const all = [...this.#accounts.values()].flatMap(({ waiting }) => waiting.splice(0));
    this.#waiting = 0;
    return all;
  }

  #mayStart(account: Account<Job>, job: Job): boolean {
    if (job.isSlow) return this.#hasSlowPlace(account);
    const { places } = this.#options;
    return this.#running < places && account.running < Math.max(1, places - 1);
  }

  #hasSlowPlace(account: Account<Job>): boolean {
    const { slowPlaces } = this.#options;
    return this.#runningSlow < slowPlaces && account.runningSlow < Math.max(1, slowPlaces - 1);
  }

  #count(account: Account<Job>, { isSlow }: Job, by: 1 | -1): void {
    if (isSlow) {
      account.runningSlow += by;
      this.#runningSlow += by;
    } else {
      account.running += by;
      this.#running += by;
    }
  }

  #accountOf({ account: name }: Job): Account<Job> {
    const known = this.#accounts.get(name);
    if (known) return known;
    const account = { waiting: [], running: 0, runningSlow: 0, spentMs: this.#floorMs };
    this.#accounts.set(name, account);
    return account;
  }

  #forgetIdle(name: string, { waiting, running, runningSlow }: Account<Job>): void {
    if (waiting.length === 0 && running === 0 && runningSlow === 0) this.#accounts.delete(name);
  }
}

function isBefore<Job>(one: Account<Job>, other: Account<Job>): boolean {
  const runningOf = ({ running, runningSlow }: Account<Job>) => running + runningSlow;
  return (
    runningOf(one) < runningOf(other) ||
    (runningOf(one) === runningOf(other) && one.spentMs < other.spentMs)
  );
}
