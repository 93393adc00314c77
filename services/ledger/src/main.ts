import { runServices } from '@sluice/boot/run-service';
import { ledgerProgram } from './program.ts';

await runServices('ledger', [{ program: ledgerProgram(), env: process.env }]);
