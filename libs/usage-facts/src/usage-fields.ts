export type ProtoType =
  | 'string'
  | 'int64'
  | 'bool'
  | 'bytes'
  | 'optional int64'
  | 'repeated int64'
  | 'repeated string'
  | 'repeated UsageAttempt'
  | 'repeated UsageRepeat'
  | 'map<string, string>';

export type SqlType =
  | 'text'
  | 'bigint'
  | 'boolean'
  | 'timestamptz'
  | 'date'
  | 'bigint[]'
  | 'text[]'
  | 'jsonb';

/** The part of a fact that a field belongs to: what is charged, or what is said beside it. */
export type UsagePart = 'charge' | 'detail';

interface UsageField<Type extends ProtoType = ProtoType> {
  readonly number: number;
  readonly type: Type;
  /** Absent: the ledger has no column for it. An estimate keeps the field, in the JSON of its whole fact. */
  readonly part?: UsagePart;
  readonly sql: SqlType;
}

const sqlTypes: Readonly<Record<ProtoType, SqlType>> = {
  string: 'text',
  int64: 'bigint',
  bool: 'boolean',
  bytes: 'jsonb',
  'optional int64': 'bigint',
  'repeated int64': 'bigint[]',
  'repeated string': 'text[]',
  'repeated UsageAttempt': 'jsonb',
  'repeated UsageRepeat': 'jsonb',
  'map<string, string>': 'jsonb',
};

function fieldOf(part?: UsagePart) {
  return <const Type extends ProtoType>(
    number: number,
    type: Type,
    sql: SqlType = sqlTypes[type],
  ): UsageField<Type> => ({ number, type, sql, ...(part && { part }) });
}

const fact = fieldOf('charge');
const detail = fieldOf('detail');
const estimate = fieldOf();

/** The fields of a usage fact, in the order of the proto file. Only ever add. */
export const usageFields = {
  usageId: fact(1, 'string'),
  generationId: fact(2, 'string'),
  requestId: fact(3, 'string'),
  accountId: fact(4, 'string'),
  workspaceId: fact(5, 'string'),
  keyHash: fact(6, 'string'),
  model: fact(7, 'string'),
  provider: fact(8, 'string'),
  upstreamId: fact(9, 'string'),
  inputTokens: fact(10, 'int64'),
  cachedTokens: fact(11, 'int64'),
  outputTokens: fact(12, 'int64'),
  reasoningTokens: fact(13, 'int64'),
  costNanoUsd: fact(14, 'int64'),
  isByok: fact(15, 'bool'),
  streamed: fact(16, 'bool'),
  outcome: fact(17, 'string'),
  finishReason: fact(18, 'string'),
  estimated: fact(19, 'bool'),
  admittedAt: fact(20, 'string', 'timestamptz'),
  completedAt: fact(21, 'string', 'timestamptz'),
  replica: fact(22, 'string'),
  epoch: fact(23, 'int64'),
  sequence: fact(24, 'int64'),
  leaseEpoch: fact(25, 'int64'),
  leaseNumbers: fact(26, 'repeated int64'),
  nativeFinishReason: detail(27, 'string'),
  endpointId: detail(28, 'string'),
  latencyMs: detail(29, 'optional int64'),
  userId: detail(30, 'string'),
  externalUser: detail(31, 'string'),
  sessionId: detail(32, 'string'),
  httpReferer: detail(33, 'string'),
  userAgent: detail(34, 'string'),
  attempts: detail(35, 'repeated UsageAttempt'),
  guardrailScopes: fact(36, 'repeated string'),
  specialTokens: detail(37, 'map<string, string>'),
  credentialId: fact(40, 'string'),
  feeNanoUsd: fact(41, 'int64'),
  freeNanoUsd: fact(42, 'int64'),
  feeLeaseNumbers: fact(43, 'repeated int64'),
  allowanceLeaseNumber: fact(44, 'int64'),
  freeRequestLeaseNumbers: fact(45, 'repeated int64'),
  holdNanoUsd: estimate(60, 'int64'),
  suspendedNanoUsd: estimate(61, 'int64'),
  claimedNanoUsd: estimate(62, 'int64'),
  estimateReason: estimate(63, 'string'),
  prices: detail(64, 'map<string, string>'),
  providerUsage: estimate(65, 'bytes'),
  routing: detail(66, 'string', 'jsonb'),
  serviceTier: detail(67, 'string'),
  trace: detail(68, 'string', 'jsonb'),
  upstreamCostNanoUsd: fact(69, 'optional int64'),
  operatorSuspendedNanoUsd: estimate(70, 'int64'),
  appTitle: detail(71, 'string'),
  appCategories: detail(72, 'repeated string', 'jsonb'),
  guardrailInvoked: detail(73, 'bool'),
  moderationLatencyMs: detail(74, 'optional int64'),
  apiType: detail(75, 'string'),
  app: detail(76, 'string'),
  traceparent: estimate(77, 'string'),
  toolType: detail(78, 'string'),
  responseCacheSourceId: detail(79, 'string'),
  hasEnd: estimate(80, 'bool'),
  dataDiscountNanoUsd: fact(81, 'optional int64'),
  dataDiscountBasisPoints: fact(82, 'optional int64'),
  dataRegion: estimate(83, 'string'),
  cacheDiscountNanoUsd: fact(84, 'optional int64'),
  repeats: estimate(85, 'repeated UsageRepeat'),
} as const;

type Columns = Readonly<Record<string, SqlType>>;

/** Returns the SQL type of each field of a part. */
export function usageColumnsOf(wanted: UsagePart): Columns {
  return Object.fromEntries(
    Object.entries<UsageField>(usageFields)
      .filter(([, { part }]) => part === wanted)
      .map(([name, { sql }]) => [name, sql]),
  );
}

/** The SQL type of each field that the ledger has a column for. */
export const usageColumns: Columns = { ...usageColumnsOf('charge'), ...usageColumnsOf('detail') };

/** Returns the name in SQL and in the proto file: `usage_id` of `usageId`. */
export function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
