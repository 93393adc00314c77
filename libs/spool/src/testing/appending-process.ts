import { writeSync } from 'node:fs';
import { openSpool } from '../spool.ts';

/**
 * Appends until it is killed. Prints each sequence once it was acknowledged; as `written`, the number of each record of
 * its one writer once it is in the file. As `released`, only the last records are kept.
 */
const [directory = '', writers = '8', told = 'acknowledged'] = process.argv.slice(2);
const onFatal = (error: unknown) => {
  throw error;
};
const spool = await openSpool({ directory, segmentBytes: 65_536, onFatal });
const first = Number(spool.lastSequence()) + 1;
const appendForEver = async () => {
  for (let count = 0; ; count++) {
    const record = Buffer.from(`record ${count} `.repeat(1 + (count % 40)));
    if (told === 'written')
      await spool.append(record, { onWritten: () => writeSync(1, `${first + count}\n`) });
    else process.stdout.write(`${await spool.append(record)}\n`);
    if (told === 'released') await spool.release(spool.lastSequence() - 100n);
  }
};
await Promise.all(Array.from({ length: Number(writers) }, appendForEver));
