import { join } from 'node:path';
import { runWithPrivateMounts } from '../power-cut/private-mounts.ts';

/** `CUTS=10 RPS=100 SEED=1 npm run chaos:powercut`, as root. */
await runWithPrivateMounts('usage-power-cut', join(import.meta.dirname, 'inside.ts'));
