import type { Queryable } from '@sluice/read-model';

const text = `
  SELECT upper(range) - 1 AS sequence
  FROM watermarks, unnest(settled) AS range
  WHERE replica = $1 AND epoch = $2 AND range @> 1::bigint`;

/** The highest sequence below which nothing of the writer is missing; 0 for an unknown one. */
export async function readWatermark(
  readModel: Queryable,
  { replica, epoch }: { readonly replica: string; readonly epoch: bigint },
): Promise<bigint> {
  const values = [replica, epoch];
  const [row] = await readModel.query<{ sequence: bigint }>({
    name: 'read-watermark',
    text,
    values,
  });
  return row?.sequence ?? 0n;
}
