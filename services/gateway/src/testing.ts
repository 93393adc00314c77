export { listeningGateway, type ListeningOptions } from './testing/listening-gateway.ts';
