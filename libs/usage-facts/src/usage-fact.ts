import type { ProtoType, usageFields } from './usage-fields.ts';

/** One attempt of a generation, up to its first output or its error. */
export interface UsageAttempt {
  readonly provider: string;
  readonly endpointId: string;
  /** Empty: it gave output. */
  readonly errorCode: string;
  readonly latencyMs: bigint;
  readonly isByok: boolean;
}

/** The values of a repeated answer that differ from those of the fact that it is told with. */
export interface UsageRepeat {
  readonly generationId: string;
  readonly requestId: string;
  /** The generation whose answer was repeated. */
  readonly sourceId: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly externalUser: string;
  readonly sessionId: string;
  readonly trace: string;
  readonly traceparent: string;
}

interface Values {
  readonly string: string;
  readonly int64: bigint;
  readonly bool: boolean;
  readonly bytes: Uint8Array;
  readonly 'optional int64': bigint | undefined;
  readonly 'repeated int64': readonly bigint[];
  readonly 'repeated string': readonly string[];
  readonly 'repeated UsageAttempt': readonly UsageAttempt[];
  readonly 'repeated UsageRepeat': readonly UsageRepeat[];
  readonly 'map<string, string>': Readonly<Record<string, string>>;
}

type Fields = typeof usageFields;
type Optional = {
  [Name in keyof Fields]: Fields[Name]['type'] extends 'optional int64' ? Name : never;
}[keyof Fields];
type Value<Name extends keyof Fields> = Values[Fields[Name]['type'] & ProtoType];

/**
 * The use and the cost of one attempt, counted once per usageId. The proto file says what each field means. Amounts
 * are nano-USD.
 */
export type UsageFact = { readonly [Name in Exclude<keyof Fields, Optional>]: Value<Name> } & {
  readonly [Name in Optional]?: Value<Name>;
};
