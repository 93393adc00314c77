/** The refusals of an account. Names and shapes are the storage format: see store/. */
export type RefusalEvent = CommandRefused;

/** A request with a valid key was refused. Nothing else changed. */
export interface CommandRefused {
  readonly type: 'CommandRefused';
  readonly data: {
    readonly accountId: string;
    /** `resource.verb` */
    readonly action: string;
    readonly resource: {
      readonly type: string;
      /** Empty: the request named none. */
      readonly id: string;
    };
    /** The status of the HTTP response. */
    readonly status: number;
    /** A code, never a value of the request. */
    readonly reason: string;
    /** How many refusals before this one were too many to be kept. */
    readonly leftOut: number;
    readonly refusedAt: string;
  };
}
