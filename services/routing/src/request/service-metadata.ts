/** Describes how a request was routed, for a client that asks for it. */
export interface ServiceMetadata {
  readonly requested: string;
  readonly strategy: string;
  readonly region: string | null;
  readonly summary: string;
  readonly attempt: number;
  readonly is_byok: boolean;
  readonly endpoints: {
    readonly total: number;
    readonly available: readonly {
      readonly model: string;
      readonly provider: string;
      readonly selected: boolean;
    }[];
  };
  readonly attempts?: readonly {
    readonly provider: string;
    readonly model: string;
    readonly status: number;
    /** From 1. Absent: the response has one turn. */
    readonly turn?: number;
  }[];
  /**
   * The inputs of a router's choice, and the output limit that was sent, where the client named none and it is below
   * that of the model.
   */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly pipeline?: readonly object[];
  /** Milliseconds from the first attempt to the end. */
  readonly generation_time?: number;
}
