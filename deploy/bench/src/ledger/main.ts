import {
  benchFolder as folder,
  runBench,
  showProgress as onProgress,
  wholeNumber,
} from '../program.ts';
import { ledgerBench } from './ledger-bench.ts';

/** `FACTS=100000 ROWS=10000000 npm run bench:ledger` */
const facts = wholeNumber('FACTS', 100_000, 1_000);
const rows = wholeNumber('ROWS', 1_000_000, 0);
await runBench('ledger', async () => await ledgerBench({ folder, facts, rows, onProgress }), {
  endsInJson: true,
});
