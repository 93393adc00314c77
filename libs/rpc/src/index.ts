export {
  implement,
  startRpcServer,
  type RpcServer,
  type RpcServerOptions,
  type RpcService,
} from './server.ts';
export {
  type CancelableCalls,
  rpcClient,
  type RpcClient,
  type RpcClientOptions,
} from './client.ts';
export type { Calls, RpcDefinition } from './definition.ts';
export { callSignal } from './call-signal.ts';
export { commandContext, type ReceivedContext } from './command-context.ts';
