export { openSpool, type Spool, type SpoolOptions } from './spool.ts';
export type { SpoolRecord } from './read-records.ts';
export { SpoolDamaged } from './recovery.ts';
export type { TornTail } from './segments.ts';
