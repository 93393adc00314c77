import { startSimulator } from './simulator.ts';

const env = process.env;
const simulator = await startSimulator({
  host: env['SLUICE_HOST'] ?? '127.0.0.1',
  port: Number(env['SLUICE_SIMULATOR_PORT'] ?? 0),
  receiptsFile: env['SLUICE_SIMULATOR_RECEIPTS'] ?? '.data/simulator/receipts.jsonl',
  latencyMs: Number(env['SLUICE_SIMULATOR_LATENCY_MS'] ?? 0),
});
console.log(simulator.url);
const stop = () => void simulator.stop().then(() => process.exit(0));
process.once('SIGINT', stop).once('SIGTERM', stop);
