import { runServices } from '@sluice/boot/run-service';
import { analyticsProgram } from './program.ts';

await runServices('analytics', [{ program: analyticsProgram(), env: process.env }]);
