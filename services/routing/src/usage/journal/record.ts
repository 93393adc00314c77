import { type Prices, pricesOfTexts, priceTexts, type PriceTexts } from '@sluice/inference';
import { readFact, type UsageFact, writeFact } from '@sluice/usage-facts';
import { type IntentByok, readByok, type WireByok, writeByok } from '../../byok/byok-record.ts';
import type { UsageLabels } from '../../request/usage-labels.ts';

/** An attempt that may reach an upstream. It is in the spool before the request is sent. */
export interface Intent {
  readonly usageId: string;
  readonly generationId: string;
  readonly requestId: string;
  /** W3C trace context of the request. Absent: there is none. */
  readonly traceparent?: string | undefined;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly keyHash: string;
  readonly model: string;
  readonly provider: string;
  /** The time of the hold. It determines the window that is charged. */
  readonly admittedAt: Date;
  readonly streamed: boolean;
  /** Sluice's own count, used if the provider reports none. */
  readonly inputTokens: number;
  readonly prices: Prices;
  /** For an own credential, the hold of its list price. Absent in records of earlier releases. */
  readonly holdNanoUsd?: bigint;
  /** The leases of the hold. Empty in records that are older than leases. */
  readonly leaseEpoch: bigint;
  readonly leaseNumbers: readonly bigint[];
  /** The leases that pay one request to a free model. Absent in records of earlier releases. */
  readonly freeRequestLeaseNumbers?: readonly bigint[];
  /** The guardrails that applied, each with the scope of its spend. Absent in records of earlier releases. */
  readonly guardrailScopes?: readonly string[];
  /** Absent or incomplete in records of earlier releases. */
  readonly labels?: Partial<UsageLabels>;
  /** The endpoint is private, and the prices are the rates of its organization: the fact has them. */
  readonly isPrivate?: true | undefined;
  /** The rate of the discount for the contents of the request. Absent: there is none. */
  readonly dataDiscountBasisPoints?: number | undefined;
  /** Absent for the platform's credential. */
  readonly byok?: IntentByok | undefined;
}

/** The output so far, as Sluice counted it. */
export interface Progress {
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Present after the upstream sent its id. */
  readonly upstreamId?: string;
}

/** The account and day of an intent that ended without output; absent in records of earlier releases. */
export interface Admitted {
  readonly accountId: string;
  /** UTC: `2026-11-18`. */
  readonly day: string;
}

/** The records of the spool. */
export type SpoolEntry =
  | { readonly type: 'intent'; readonly intent: Intent }
  | { readonly type: 'progress'; readonly usageId: string; readonly progress: Progress }
  /** The attempt ended without any output. */
  | { readonly type: 'released'; readonly usageId: string; readonly of?: Admitted }
  | { readonly type: 'final'; readonly fact: UsageFact };

const version = 1;

/** Returns UTF-8 JSON with its version. Only add fields, because later releases read old records. */
export function encodeEntry(entry: SpoolEntry): Uint8Array {
  return Buffer.from(JSON.stringify({ v: version, ...writeEntry(entry) }));
}

const beforeFact = `{"v":${String(version)},"type":"final","fact":`.length;

/** Returns the JSON of the fact, as the bus carries it, within the final record that encodeEntry made of it. */
export function factBytes(final: Uint8Array): Uint8Array {
  return final.subarray(beforeFact, -1);
}

/** Throws if the bytes are not a record of a known version. */
export function decodeEntry(bytes: Uint8Array): SpoolEntry {
  const record = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
  if (record['v'] !== version) throw new Error(`a usage record of version ${String(record['v'])}`);
  switch (record['type']) {
    case 'intent':
      return { type: 'intent', intent: readIntent(record['intent'] as WireIntent) };
    case 'progress':
      return {
        type: 'progress',
        usageId: String(record['usageId']),
        progress: record['progress'] as Progress,
      };
    case 'released':
      return {
        type: 'released',
        usageId: String(record['usageId']),
        ...(record['of'] === undefined ? {} : { of: record['of'] as Admitted }),
      };
    case 'final':
      return { type: 'final', fact: readFact(record['fact']) };
    default:
      throw new Error(`a usage record of type ${String(record['type'])}`);
  }
}

type WireIntent = Omit<
  Intent,
  | 'admittedAt'
  | 'prices'
  | 'holdNanoUsd'
  | 'leaseEpoch'
  | 'leaseNumbers'
  | 'freeRequestLeaseNumbers'
  | 'byok'
> & {
  readonly admittedAt: string;
  readonly prices: PriceTexts;
  readonly holdNanoUsd?: string;
  readonly leaseEpoch?: string;
  readonly leaseNumbers?: readonly string[];
  readonly freeRequestLeaseNumbers?: readonly string[];
  readonly byok?: WireByok;
};

type Written<Wire> = { readonly [Name in keyof Required<Wire>]: Wire[Name] | undefined };

function writeEntry(entry: SpoolEntry): object {
  switch (entry.type) {
    case 'intent':
      return { type: entry.type, intent: writeIntent(entry.intent) };
    case 'final':
      return { type: entry.type, fact: writeFact(entry.fact) };
    default:
      return entry;
  }
}

/** JSON omits undefined fields. */
function writeIntent(intent: Intent): Written<WireIntent> {
  return {
    usageId: intent.usageId,
    generationId: intent.generationId,
    requestId: intent.requestId,
    traceparent: intent.traceparent,
    accountId: intent.accountId,
    workspaceId: intent.workspaceId,
    keyHash: intent.keyHash,
    model: intent.model,
    provider: intent.provider,
    admittedAt: intent.admittedAt.toISOString(),
    streamed: intent.streamed,
    inputTokens: intent.inputTokens,
    prices: priceTexts(intent.prices),
    holdNanoUsd: intent.holdNanoUsd?.toString(),
    leaseEpoch: String(intent.leaseEpoch),
    leaseNumbers: intent.leaseNumbers.map(String),
    freeRequestLeaseNumbers: textsOf(intent.freeRequestLeaseNumbers),
    guardrailScopes: intent.guardrailScopes,
    labels: intent.labels,
    isPrivate: intent.isPrivate,
    dataDiscountBasisPoints: intent.dataDiscountBasisPoints,
    byok: intent.byok && writeByok(intent.byok),
  };
}

function readIntent(intent: WireIntent): Intent {
  const {
    leaseEpoch = '0',
    leaseNumbers = [],
    freeRequestLeaseNumbers = [],
    admittedAt,
    byok,
    holdNanoUsd,
    prices,
    ...rest
  } = intent;
  return {
    ...rest,
    ...(byok && { byok: readByok(byok) }),
    ...(holdNanoUsd === undefined ? {} : { holdNanoUsd: BigInt(holdNanoUsd) }),
    leaseEpoch: BigInt(leaseEpoch),
    leaseNumbers: leaseNumbers.map(BigInt),
    ...(freeRequestLeaseNumbers.length > 0 && {
      freeRequestLeaseNumbers: freeRequestLeaseNumbers.map(BigInt),
    }),
    admittedAt: new Date(admittedAt),
    prices: readPrices(prices),
  };
}

/** Omits empty lease numbers, because most requests are not subject to the quota. */
function textsOf(numbers: readonly bigint[] | undefined): readonly string[] | undefined {
  return numbers === undefined || numbers.length === 0 ? undefined : numbers.map(String);
}

function readPrices(texts: PriceTexts): Prices {
  const prices = pricesOfTexts(texts);
  if (!prices) throw new Error('a usage record with a price that is none');
  return prices;
}
