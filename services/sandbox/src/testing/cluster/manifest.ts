import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const file = join(
  import.meta.dirname,
  '../../../../..',
  'deploy',
  'kubernetes',
  'sandbox-pods.yaml',
);

export interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

interface Selector {
  readonly matchLabels?: Labels;
}

interface PolicySpec {
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly egress?: readonly {
    readonly to: readonly { readonly podSelector?: Selector }[];
    readonly ports: readonly { readonly port: number }[];
  }[];
}

export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
  readonly spec?: unknown;
}

/** The objects that an operator applies to a cluster. */
export const manifests: readonly Manifest[] = parseAllDocuments(readFileSync(file, 'utf8')).map(
  (document) => document.toJS() as Manifest,
);

const inBoxes = ({ metadata }: Manifest) => metadata.namespace === 'sluice-boxes';

/** The rights that the operator gives to the service. */
export const rules = manifests.filter(inBoxes).flatMap((one) => one.rules ?? []);

const policies = manifests
  .filter((one) => one.kind === 'NetworkPolicy' && inBoxes(one))
  .map((one) => one.spec as PolicySpec);

const selects = ({ matchLabels = {} }: Selector, labels: Labels) =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value);

/** True if the policies of the manifest let a pod reach a port of the sandbox service; as Kubernetes adds them up. */
export function mayReach(labels: Labels, port: number): boolean {
  const holding = policies.filter(
    (one) => one.policyTypes.includes('Egress') && selects(one.podSelector, labels),
  );
  const service = { 'app.kubernetes.io/component': 'sandbox' };
  const allows = (one: PolicySpec) =>
    (one.egress ?? []).some(
      ({ to, ports }) =>
        to.some(({ podSelector }) => podSelector !== undefined && selects(podSelector, service)) &&
        ports.some((allowed) => allowed.port === port),
    );
  return holding.length === 0 || holding.some(allows);
}
