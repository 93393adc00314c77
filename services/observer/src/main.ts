import { runServices } from '@sluice/boot/run-service';
import { observerProgram } from './program.ts';

await runServices('observer', [{ program: observerProgram, env: process.env }]);
