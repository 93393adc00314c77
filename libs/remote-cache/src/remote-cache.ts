/** Caches answers of another service, so that a request needs no call. Bounded in number and age. */
export interface RemoteCache<Asked extends object, Answer> {
  /** Returns an answer that needs no wait. Refreshes an old one in the background. */
  peek(question: Asked): Answer | undefined;
  /**
   * Returns a cached answer at once, or waits for a new one. Throws unavailable if a call is needed and fails.
   */
  find(question: Asked): Answer | Promise<Answer>;
  /** Returns the last answer, however old it is. */
  last(question: Asked): Answer | undefined;
  /** Refreshes the answers of the group at their next use. An answer that is on its way does not count. */
  changed(group: string): void;
  /** Drops all answers of the group. */
  forget(group: string): void;
  /** Marks the time before which changes may be lost. Older answers may have missed one. */
  subscribedAnew(): void;
  /** Drops answers that are too old, or were not used for a minute. */
  sweep(): void;
  readonly size: number;
}

export interface RemoteCacheOptions<Asked extends object, Answer> {
  readonly ask: (question: Asked) => Promise<Answer>;
  /** Returns the account, key or other thing whose changes the answer depends on. */
  readonly groupOf: (question: Asked) => string;
  /** Returns one text per question of a group. Absent if a group has one question. */
  readonly nameOf?: (question: Asked) => string;
  /** Milliseconds since the last moment before which each change was received. */
  readonly unsubscribedMs: () => number;
  readonly nowMs: () => number;
  readonly entriesMax?: number;
  /** Bounds the age of the last answer that is used while there is no newer one. */
  readonly lastKnownMsMax?: number | undefined;
  /** True for an answer that says that there is nothing. Such answers live five seconds, in a map of their own. */
  readonly isNone?: (answer: Answer) => boolean;
  /** Called for each answer that enters the cache. */
  readonly onAnswer?: (question: Asked) => void;
  /** True: a refusal is thrown as it is. False: it is thrown as unavailable. */
  readonly throwsRefusals?: boolean;
}
