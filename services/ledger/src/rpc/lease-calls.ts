import { Fault } from '@sluice/errors';
import type {
  AcquireLeasesRequest,
  LedgerServiceService,
} from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import type { Calls } from '@sluice/rpc';
import { acquireLeases } from '../commands/acquire-leases.ts';
import { closeEpochs } from '../commands/close-epochs.ts';
import { type LeaseRequest, leaseRequestsProblem } from '../domain/lease/lease-request.ts';
import type { ReplicaEpoch } from '../store/record-replica.ts';

const leasesMax = 500;
const replicaPattern = /^[A-Za-z0-9_-]{1,128}$/;

/** Grants routing replicas the amounts that they may spend without asking. */
export function leaseCalls(
  database: Database,
): Pick<Calls<typeof LedgerServiceService>, 'acquireLeases' | 'closeEpochs'> {
  return {
    async acquireLeases(request) {
      const writer = writerOf(request);
      const requests = leaseRequests(request);
      const { leases, replicas } = await acquireLeases(database, writer, requests);
      return { leases: [...leases], replicas };
    },
    async closeEpochs(request) {
      return { freedNanoUsd: await closeEpochs(database, writerOf(request)) };
    },
  };
}

function writerOf({ replica, epoch }: ReplicaEpoch): ReplicaEpoch {
  if (!replicaPattern.test(replica) || epoch < 1n)
    throw new Fault('invalid_request', { message: 'replica or epoch is malformed' });
  return { replica, epoch };
}

function leaseRequests({ leases }: AcquireLeasesRequest): readonly LeaseRequest[] {
  if (leases.length > leasesMax)
    throw new Fault('invalid_request', { message: `At most ${leasesMax} leases at once` });
  const requests = leases.map(({ budget, ...lease }) => {
    if (!budget) throw new Fault('invalid_request', { message: 'budget is missing' });
    return { ...lease, budget };
  });
  const problem = leaseRequestsProblem(requests);
  if (problem !== undefined) throw new Fault('invalid_request', { message: problem });
  return requests;
}
