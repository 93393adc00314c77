import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import type { FaultSwitches } from '../fault-switches.ts';

type InnerCall = ConstructorParameters<typeof ServerInterceptingCall>[0];
type Step = () => void;

/** The end of a freeze may be moved while it lasts. */
const lookMs = 10;

/** Holds everything that a call brings and everything that it answers while the node is frozen. */
export function freezing(faults: FaultSwitches): ServerInterceptor {
  return (_method, call) => new FreezingCall(call, faults);
}

class FreezingCall extends ServerInterceptingCall {
  readonly #outwards: Hold;

  constructor(call: InnerCall, faults: FaultSwitches) {
    const inwards = new Hold(faults);
    super(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => inwards.pass(() => proceed(metadata)),
          onReceiveMessage: (message: unknown, proceed: (message: unknown) => void) =>
            inwards.pass(() => proceed(message)),
          onReceiveHalfClose: (proceed) => inwards.pass(proceed),
        }),
    });
    this.#outwards = new Hold(faults);
  }

  override sendMetadata(...given: Parameters<ServerInterceptingCall['sendMetadata']>): void {
    this.#outwards.pass(() => super.sendMetadata(...given));
  }

  override sendMessage(...given: Parameters<ServerInterceptingCall['sendMessage']>): void {
    this.#outwards.pass(() => super.sendMessage(...given));
  }

  override sendStatus(...given: Parameters<ServerInterceptingCall['sendStatus']>): void {
    this.#outwards.pass(() => super.sendStatus(...given));
  }
}

/** Keeps the order of one direction of a call. */
class Hold {
  readonly #faults: FaultSwitches;
  #held: Step[] = [];

  constructor(faults: FaultSwitches) {
    this.#faults = faults;
  }

  pass(step: Step): void {
    const first = this.#held.length === 0;
    if (first && !this.#isFrozen()) {
      step();
      return;
    }
    this.#held.push(step);
    if (first) this.#look();
  }

  #look(): void {
    setTimeout(() => {
      if (this.#isFrozen()) {
        this.#look();
        return;
      }
      const steps = this.#held;
      this.#held = [];
      for (const step of steps) step();
    }, lookMs).unref();
  }

  #isFrozen(): boolean {
    return Date.now() < this.#faults.frozenUntilMs;
  }
}
