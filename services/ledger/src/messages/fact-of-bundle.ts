import type { BusMessage } from '@sluice/bus';
import { elementsOf } from './json-elements.ts';

/** A message of several facts. It splits the bytes into facts once, at the first call. */
export class Bundle {
  readonly message: BusMessage;
  readonly #count: number;
  #elements: readonly Uint8Array[] | undefined;

  constructor(message: BusMessage, count: number) {
    this.message = message;
    this.#count = count;
  }

  /** The bytes of the whole message when they cannot be split into facts. */
  bytesOf(index: number): Uint8Array {
    this.#elements ??= elementsOf(this.message.bytes, 'facts');
    const told = this.#elements.length === this.#count ? this.#elements[index] : undefined;
    return told ?? this.message.bytes;
  }
}

/** One fact of a bundle, as it arrived. */
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
