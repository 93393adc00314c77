import { MemberInfo_VNodeState, type ClusterInfo } from '@sluice/protos/event_store/client/gossip';

export interface GossipMember {
  readonly instanceId: string;
  /** The host under which clients reach the node. */
  readonly host: string;
  readonly port: number;
  readonly nowMs: number;
}

const ticksPerMs = 10_000n;

/** A cluster of one: this node is alive and leads. */
export function clusterInfo({ instanceId, host, port, nowMs }: GossipMember): ClusterInfo {
  return {
    members: [
      {
        instanceId: { value: { $case: 'string', value: instanceId } },
        timeStamp: BigInt(nowMs) * ticksPerMs,
        state: MemberInfo_VNodeState.Leader,
        isAlive: true,
        httpEndPoint: { address: host, port },
      },
    ],
  };
}
