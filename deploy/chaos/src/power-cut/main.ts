import { join } from 'node:path';
import { runWithPrivateMounts } from './private-mounts.ts';

/** `CUTS=20 SEED=1 npm run test:powercut`, as root. */
await runWithPrivateMounts('power-cut', join(import.meta.dirname, 'inside.ts'));
