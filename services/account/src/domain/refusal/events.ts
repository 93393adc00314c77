/** What was asked of an account and refused. Names and shapes are the storage format: see store/. */
export type RefusalEvent = CommandRefused;

/** Somebody with a valid key asked for what was not to be had. Nothing else changed. */
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
    /** Of the HTTP answer. */
    readonly status: number;
    /** A code, never a value of the request. */
    readonly reason: string;
    /** How many refusals before this one were too many to be kept. */
    readonly leftOut: number;
    readonly refusedAt: string;
  };
}
