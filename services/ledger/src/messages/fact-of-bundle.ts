import type { BusMessage } from '@sluice/bus';
import { elementsOf } from './json-elements.ts';

/** A message of several facts, which it can tell apart as they were written: once, when somebody asks. */
export class Bundle {
  readonly message: BusMessage;
  readonly #count: number;
  #elements: readonly Uint8Array[] | undefined;

  constructor(message: BusMessage, count: number) {
    this.message = message;
    this.#count = count;
  }

  /** The bytes of the whole when it is written in a way in which its facts cannot be told apart. */
  bytesOf(index: number): Uint8Array {
    this.#elements ??= elementsOf(this.message.bytes, 'facts');
    const told = this.#elements.length === this.#count ? this.#elements[index] : undefined;
    return told ?? this.message.bytes;
  }
}

/** One of them, as it came. */
export class FactOfBundle implements Pick<BusMessage, 'subject' | 'id' | 'bytes'> {
  readonly subject: string;
  readonly #bundle: Bundle;
  readonly #index: number;

  constructor(bundle: Bundle, index: number) {
    this.subject = bundle.message.subject;
    this.#bundle = bundle;
    this.#index = index;
  }

  get id(): string | undefined {
    return this.#bundle.message.id;
  }

  get bytes(): Uint8Array {
    return this.#bundle.bytesOf(this.#index);
  }
}
