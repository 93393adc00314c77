/** The terms on which an attempt with an own credential was admitted: they decide the fee, also after a crash. */
export interface IntentByok {
  readonly credentialId: string;
  /** The part of the list price that the allowance of the month covers. */
  readonly freeHeldNanoUsd: bigint;
  /** Hundredths of a per cent of what is not free. */
  readonly feeBasisPoints: number;
  /** Leases that pay the fee alone; those of the intent pay the list price too. */
  readonly feeLeaseNumbers: readonly bigint[];
  /** 0: nothing is free. */
  readonly allowanceLeaseNumber: bigint;
}

/** The form of the record in the spool. */
export interface WireByok {
  readonly credentialId: string;
  readonly freeHeldNanoUsd: string;
  readonly feeBasisPoints: number;
  readonly feeLeaseNumbers: readonly string[];
  readonly allowanceLeaseNumber: string;
}

export function writeByok(byok: IntentByok): WireByok {
  return {
    ...byok,
    freeHeldNanoUsd: String(byok.freeHeldNanoUsd),
    feeLeaseNumbers: byok.feeLeaseNumbers.map(String),
    allowanceLeaseNumber: String(byok.allowanceLeaseNumber),
  };
}

export function readByok(byok: WireByok): IntentByok {
  return {
    ...byok,
    freeHeldNanoUsd: BigInt(byok.freeHeldNanoUsd),
    feeLeaseNumbers: byok.feeLeaseNumbers.map(BigInt),
    allowanceLeaseNumber: BigInt(byok.allowanceLeaseNumber),
  };
}
