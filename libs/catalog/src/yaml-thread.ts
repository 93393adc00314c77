import { parentPort, workerData } from 'node:worker_threads';
import { parseYaml } from './parse-yaml.ts';

/** Says what is in a text; what is no YAML ends it with an error. */
parentPort?.postMessage(parseYaml(String(workerData)), []);
