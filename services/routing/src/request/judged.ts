/** The answer of the model that a router asked to judge a request. */
export interface Judged {
  /** The model that judged. */
  readonly model: string;
  /** The text of its answer. */
  readonly text: string;
  /** `time_limit`, or the code of the error that the judge ended with. Absent: it answered. */
  readonly failure?: string;
  /** The cost of this request for the judge. */
  readonly costNanoUsd: bigint;
  /** The answer to the same question was kept from an earlier request of the account. */
  readonly isKept?: true;
}
