import { createServer } from 'node:net';
import type { Box, BoxOptions, Engine, Ran } from '../../engine/engine.ts';
import { problemOf } from '../../engine/first-command.ts';
import type { BoxLimits } from '../../engine/limits.ts';
import { problemOfLimits, tryScript as run } from '../../engine/limit-probes.ts';
import type { Cluster } from './cluster.ts';
import { listening, portOf } from './egress-door.ts';

export interface Probed {
  readonly egressAddress: string;
  readonly limits: BoxLimits;
  readonly cluster: Cluster;
}

/** A host that no box asks for: the proxy answers that it is not allowed. */
const nowhere = 'probe.invalid';
const metadataAddress = '169.254.169.254:80';
const publicAddress = '1.1.1.1:443';

/**
 * Tries what the cluster promises: pods without a network reach nothing, those with an allowlist the proxy alone, and
 * memory, home, processes and processors are bounded. A cluster whose network plugin ignores policies is found out
 * here. Returns the reason when something does not hold.
 */
export async function problemOfCluster(
  engine: Engine,
  probed: Probed,
): Promise<string | undefined> {
  const allowlist = { type: 'allowlist', allowedDomains: ['other.invalid'] } as const;
  const disabled = { type: 'disabled' } as const;
  const problems = await Promise.all([
    problemOf(engine, (box) => problemOfNoNetwork(box, probed)),
    inBox(engine, { id: 'probe-allowlist', network: allowlist }, (box) =>
      problemOfAllowlist(box, probed),
    ),
    inBox(engine, { id: 'probe-limits', network: disabled }, (box) =>
      problemOfLimits(box, probed.limits),
    ),
  ]);
  return problems.find((problem) => problem !== undefined);
}

async function inBox(
  engine: Engine,
  options: BoxOptions,
  tried: (box: Box) => Promise<string | undefined>,
): Promise<string | undefined> {
  let box: Box | undefined;
  try {
    box = await engine.open(options);
    return await tried(box);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await box?.close();
  }
}

/** Prints the addresses that a connection was made to. */
const connectScript = `
reach() { timeout 3 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "$2" 2>/dev/null && echo "$1:$2"; }
for one in "$@"; do reach "\${one%:*}" "\${one##*:}" & done
wait`;

async function reachedOf(box: Box, addresses: readonly string[]): Promise<readonly string[]> {
  const ran = await run(box, connectScript, { args: addresses });
  return ran.stdout.toString().split('\n').filter(Boolean);
}

const policyWords = 'is the NetworkPolicy applied, and does the network plugin enforce policies?';

async function problemOfNoNetwork(box: Box, probed: Probed): Promise<string | undefined> {
  const { egressAddress, cluster } = probed;
  const addresses = [cluster.apiAddress, egressAddress, metadataAddress, publicAddress];
  const reached = await reachedOf(box, addresses);
  if (reached.length === 0) return undefined;
  return `a pod without a network reached ${reached.join(' and ')}: ${policyWords}`;
}

async function problemOfAllowlist(box: Box, probed: Probed): Promise<string | undefined> {
  const { egressAddress, cluster } = probed;
  const host = egressAddress.slice(0, egressAddress.lastIndexOf(':'));
  // Another port of this process: a policy without ports would let pods in.
  const other = await listening(
    createServer((socket) => socket.destroy()),
    0,
  );
  try {
    const addresses = [
      cluster.apiAddress,
      `${host}:${portOf(other)}`,
      metadataAddress,
      publicAddress,
    ];
    const reached = await reachedOf(box, addresses);
    if (reached.length > 0)
      return `a pod with an allowlist reached ${reached.join(' and ')} without the proxy: ${policyWords}`;
  } finally {
    other.close();
  }
  const asked = `GET http://${nowhere}/ HTTP/1.0\\r\\n\\r\\n`;
  const script = [
    'at=${http_proxy#http://}; exec 3<>"/dev/tcp/${at%:*}/${at##*:}"',
    `printf '${asked}' >&3 && timeout 10 head -1 <&3`,
  ].join(' && ');
  const ran = await run(box, script);
  if (ran.stdout.toString().includes(' 403 ')) return undefined;
  return `a pod with an allowlist does not get an answer of the egress proxy at ${egressAddress}: ${lastLine(ran)}`;
}

const lastLine = ({ stderr, outcome }: Ran) =>
  `${stderr.toString().trim().split('\n').at(-1)} ${JSON.stringify(outcome)}`;
