import type { BusMessage } from '@sluice/bus';
import { elementsOf } from './json-elements.ts';

/** A fact within its message, as it came: its bytes are looked for when somebody asks. */
export class FactOfBundle implements Pick<BusMessage, 'subject' | 'id' | 'bytes'> {
  readonly subject: string;
  readonly #bundle: BusMessage;
  readonly #index: number;

  constructor(bundle: BusMessage, index: number) {
    this.subject = bundle.subject;
    this.#bundle = bundle;
    this.#index = index;
  }

  get id(): string | undefined {
    return this.#bundle.id;
  }

  /** Those of the whole bundle when it is written in a way in which its facts cannot be told apart. */
  get bytes(): Uint8Array {
    const { bytes, data } = this.#bundle;
    const { facts } = data as { readonly facts: readonly unknown[] };
    const elements = elementsOf(bytes, 'facts');
    return (elements.length === facts.length ? elements[this.#index] : undefined) ?? bytes;
  }
}
