import { writeSync } from 'node:fs';
import { openSpool } from '../spool.ts';

/**
 * Appends until it is killed. Prints each sequence once it was acknowledged. As `written`, prints it once it is in the
 * file, and appends the next record while the disk still syncs. As `released`, only the last records are kept.
 */
const [directory = '', writers = '8', told = 'acknowledged'] = process.argv.slice(2);
const onFatal = (error: unknown) => {
  throw error;
};
const spool = await openSpool({ directory, segmentBytes: 65_536, onFatal });
let sequence = spool.lastSequence();
const write = (record: Buffer) =>
  new Promise<void>((resolve, reject) => {
    const onWritten = () => {
      // Records get into the file in the order of their sequences.
      writeSync(1, `${(sequence += 1n)}\n`);
      resolve();
    };
    spool.append(record, { onWritten }).catch(reject);
  });
const appendForEver = async () => {
  for (let count = 0; ; count++) {
    const record = Buffer.from(`record ${count} `.repeat(1 + (count % 40)));
    if (told === 'written') await write(record);
    else process.stdout.write(`${await spool.append(record)}\n`);
    if (told === 'released') await spool.release(spool.lastSequence() - 100n);
  }
};
await Promise.all(Array.from({ length: Number(writers) }, appendForEver));
