import { Fault } from '@sluice/errors';

/** An error of a request that had an effect: its answer has `data` beside `error`. */
export class FaultWithData extends Fault {
  readonly data: object;

  constructor(fault: Fault, data: object) {
    const { message, metadata, retryAfterSeconds } = fault;
    super(fault.code, {
      message,
      metadata,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
    this.data = data;
  }
}
