export interface Dimension {
  readonly label: string;
  /** The longest time range, in days. */
  readonly days: number;
  /** Some facts have no value of it: those are one group, whose value is null. */
  readonly hasUnset: boolean;
  /** The pattern of a value in a filter. */
  readonly pattern: RegExp;
  /** Completes "must be …". */
  readonly mustBe: string;
}

const year = 365;
const month = 31;
const text = /^[^\p{Cc}\p{Cs}]{1,512}$/u;
const mustBeText = '1 to 512 characters, without control characters';

function dimension(
  label: string,
  days: number,
  { hasUnset = false, pattern = text, mustBe = mustBeText }: Partial<Omit<Dimension, 'label'>> = {},
): Dimension {
  return { label, days, hasUnset, pattern, mustBe };
}

const hasUnset = true;

/** Everything that usage can be grouped and filtered by: a row each. */
export const dimensions = {
  model: dimension('Model', year, { hasUnset }),
  variant: dimension('Variant', year, { hasUnset }),
  api_key_id: dimension('API key', year, {
    pattern: /^(?:[0-9a-f]{64}|[0-9]{1,18})$/,
    mustBe: 'the hash of a key: 64 hexadecimal digits in lower case',
  }),
  user: dimension('User', year, { hasUnset }),
  workspace: dimension('Workspace', year, {
    pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    mustBe: 'the id of a workspace: a UUID in lower case',
  }),
  app: dimension('App', year, { hasUnset }),
  generation_id: dimension('Generation', month, { hasUnset }),
  provider: dimension('Provider', month, { hasUnset }),
  origin: dimension('Origin', month, { hasUnset }),
  country: dimension('Country', month, { hasUnset }),
  finish_reason: dimension('Finish reason', month, { hasUnset }),
  external_user: dimension('End user', month, { hasUnset }),
  context_length_bucket: dimension('Context length', month, {
    hasUnset,
    pattern: /^(?:1|10|100)[KM]$/,
    mustBe: '1K, 10K, 100K, 1M, 10M or 100M',
  }),
} as const satisfies Readonly<Record<string, Dimension>>;

export type DimensionName = keyof typeof dimensions;

export const dimensionNames = Object.keys(dimensions) as readonly DimensionName[];

/** Returns the dimension as the table describes it, without the types of its row. */
export function dimensionOf(name: DimensionName): Dimension {
  return dimensions[name];
}

/** The dimensions of time ranges up to a year. */
export const yearDimensions = dimensionNames.filter((name) => dimensions[name].days === year);

const contextUnits = ['1K', '10K', '100K', '1M', '10M', '100M'] as const;

/** Returns the least bucket that holds so many tokens. Empty: there are none. */
export function contextBucketOf(tokens: bigint): string {
  if (tokens <= 0n) return '';
  let most = 1_000n;
  for (const unit of contextUnits) {
    if (tokens <= most) return unit;
    most *= 10n;
  }
  return '100M';
}
