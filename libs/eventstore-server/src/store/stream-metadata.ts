/** What `$$stream` says about its stream, as far as it changes what is read. */
export interface StreamMetadata {
  readonly maxCount: number | undefined;
  readonly maxAgeMs: number | undefined;
  /** Revisions below are hidden. */
  readonly truncateBefore: number;
  readonly softDeleted: boolean;
  /** The whole object, so that a later change keeps what it does not know. */
  readonly raw: Readonly<Record<string, unknown>>;
}

const softDeletedFrom = 2 ** 63;

/** What a soft delete writes: it replaces all metadata, and the number is the largest int64. */
export const softDeletedJson = '{"$tb":9223372036854775807}';

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

/** What is not JSON or not of the right type counts as absent, as on a real node. */
export function parseMetadata(data: Buffer): StreamMetadata {
  let raw: unknown;
  try {
    raw = JSON.parse(data.toString('utf8'));
  } catch {
    return noMetadata;
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return noMetadata;
  const fields = raw as Record<string, unknown>;
  const truncateBefore = positive(fields['$tb']) ?? 0;
  const maxAgeSeconds = positive(fields['$maxAge']);
  return {
    maxCount: positive(fields['$maxCount']),
    maxAgeMs: maxAgeSeconds === undefined ? undefined : maxAgeSeconds * 1_000,
    truncateBefore,
    softDeleted: truncateBefore >= softDeletedFrom,
    raw: fields,
  };
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** The first revision that a reader may see, before `$maxAge` is looked at. */
export function firstRevisionShown(metadata: StreamMetadata, lastRevision: number): number {
  const kept = metadata.maxCount === undefined ? 0 : lastRevision + 1 - metadata.maxCount;
  return Math.max(0, kept, metadata.truncateBefore);
}
