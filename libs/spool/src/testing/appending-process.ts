import { openSpool } from '../spool.ts';

/** Appends until it is killed; prints each sequence once it was acknowledged. */
const [directory = '', writers = '8'] = process.argv.slice(2);
const onFatal = (error: unknown) => {
  throw error;
};
const spool = await openSpool({ directory, segmentBytes: 65_536, onFatal });
const appendForEver = async () => {
  for (let count = 0; ; count++) {
    const sequence = await spool.append(Buffer.from(`record ${count} `.repeat(1 + (count % 40))));
    process.stdout.write(`${sequence}\n`);
  }
};
await Promise.all(Array.from({ length: Number(writers) }, appendForEver));
