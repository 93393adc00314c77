/** The part of `$$stream` that changes reads of its stream. */
export interface StreamMetadata {
  readonly maxCount: number | undefined;
  readonly maxAgeMs: number | undefined;
  /** Revisions below are hidden. */
  readonly truncateBefore: number;
  readonly softDeleted: boolean;
  /** The whole object, so that a later change keeps what it does not know. */
  readonly raw: Readonly<Record<string, unknown>>;
}

const softDeletedFrom = 2n ** 63n - 1n;
const secondsMax = 922_337_203_685n;

/** The metadata of a soft delete. It replaces all metadata, and the number is the largest int64. */
export const softDeletedJson = `{"$tb":${softDeletedFrom}}`;

export const noMetadata: StreamMetadata = {
  maxCount: undefined,
  maxAgeMs: undefined,
  truncateBefore: 0,
  softDeleted: false,
  raw: {},
};

/** Metastreams keep their last event only. */
export const metastreamMetadata: StreamMetadata = { ...noMetadata, maxCount: 1 };

export function isMetastream(stream: string): boolean {
  return stream.startsWith('$$');
}

export function metastreamOf(stream: string): string {
  return `$$${stream}`;
}

export function originalOf(metastream: string): string {
  return metastream.slice(2);
}

/**
 * Parses an event of a metastream. One wrong setting makes all of it count as absent, as on a real node: a
 * fraction, a string, a negative number, more than an int64, `null`, an ACL of another form.
 */
export function parseMetadata(data: Buffer): StreamMetadata {
  const text = data.toString('utf8');
  try {
    const fields: unknown = JSON.parse(text, wholeNumbers);
    if (!isObject(fields)) return noMetadata;
    const truncateBefore = integer(fields['$tb'], 0n, softDeletedFrom) ?? 0n;
    const maxCount = integer(fields['$maxCount'], 1n, softDeletedFrom);
    const maxAgeSeconds = integer(fields['$maxAge'], 1n, secondsMax);
    integer(fields['$cacheControl'], 1n, secondsMax);
    requireRoles(fields['$acl']);
    return {
      maxCount: maxCount === undefined ? undefined : Number(maxCount),
      maxAgeMs: maxAgeSeconds === undefined ? undefined : Number(maxAgeSeconds) * 1_000,
      truncateBefore: Number(truncateBefore),
      softDeleted: truncateBefore === softDeletedFrom,
      raw: JSON.parse(text) as Readonly<Record<string, unknown>>,
    };
  } catch (error) {
    // Not JSON, nested too deeply, or a wrong setting.
    if (error instanceof SyntaxError || error instanceof RangeError) return noMetadata;
    throw error;
  }
}

const wholeNumber = /^-?\d{1,19}$/;

/**
 * Turns whole numbers into bigints by their source text. So `2` differs from `2.0` and `1e3`, and an int64 keeps every
 * digit.
 */
function wholeNumbers(_key: string, value: unknown, context?: { readonly source?: string }) {
  const source = typeof value === 'number' ? context?.source : undefined;
  return source !== undefined && wholeNumber.test(source) ? BigInt(source) : value;
}

/** Undefined when the setting is absent. Throws RangeError for one that is wrong. */
function integer(value: unknown, min: bigint, max: bigint): bigint | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'bigint' && value >= min && value <= max) return value;
  throw new RangeError('not a whole number in its bounds');
}

/** ACLs are kept and refuse nothing; a wrong one spoils the metadata it stands in. */
function requireRoles(acl: unknown): void {
  if (acl === undefined) return;
  if (!isObject(acl)) throw new RangeError('an ACL is an object');
  for (const permission of ['$r', '$w', '$d', '$mr', '$mw']) {
    const roles = acl[permission] ?? [];
    const isList = Array.isArray(roles) && roles.every((role) => typeof role === 'string');
    if (typeof roles !== 'string' && !isList) throw new RangeError('a role is a string');
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first revision that a reader may see, before `$maxAge` is looked at. */
export function firstRevisionShown(metadata: StreamMetadata, lastRevision: number): number {
  const kept = metadata.maxCount === undefined ? 0 : lastRevision + 1 - metadata.maxCount;
  return Math.max(0, kept, metadata.truncateBefore);
}
