/** Decides by the broker's last answer, not by the state of the connection, whether the broker is alive. */
export interface Heartbeat {
  isAlive(): boolean;
  /** A new connection has been made: the broker has answered just now. */
  reset(): void;
  stop(): void;
}

export interface HeartbeatOptions {
  /** Asks the broker for an answer. Rejects when there is none to be had. */
  readonly ask: () => Promise<unknown>;
  /** The broker answers no more: what is published may not arrive. */
  readonly onSilent: () => void;
  /** It answers again. */
  readonly onBack: () => void;
}

const intervalMs = 500;
/** So many questions without an answer, 2 s, and the broker is silent. */
const unansweredMax = 4;
/** Questions that wait for an answer at one time: a frozen broker answers the first of them when it goes on. */
const askedMax = 8;

/**
 * Sends a ping twice a second. Counts pings and not time: a process whose event loop was blocked for seconds has sent
 * none meanwhile, and reads the pending answers before enough pings are unanswered.
 */
export function startHeartbeat({ ask, onSilent, onBack }: HeartbeatOptions): Heartbeat {
  let asked = 0;
  let answered = 0;
  let open = 0;
  const isAlive = () => asked - answered <= unansweredMax;
  const heard = (question: number) => {
    const wasAlive = isAlive();
    answered = Math.max(answered, question);
    if (!wasAlive && isAlive()) onBack();
  };
  const timer = setInterval(() => {
    const wasAlive = isAlive();
    const question = (asked += 1);
    if (wasAlive && !isAlive()) onSilent();
    if (open >= askedMax) return;
    open += 1;
    ask()
      .then(
        () => heard(question),
        () => {},
      )
      .finally(() => (open -= 1));
  }, intervalMs);
  timer.unref();
  return {
    isAlive,
    reset() {
      answered = asked;
    },
    stop: () => clearInterval(timer),
  };
}
