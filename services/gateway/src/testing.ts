export { listeningGateway, type ListeningOptions } from './testing/listening-gateway.ts';
export { apiDescription } from './testing/api-description.ts';
