/** The servers that production runs on, as docker-compose.yml names them. */
export const images = {
  eventStore: 'eventstore/eventstore:24.10.14',
  nats: 'nats:2.12-alpine',
  postgres: 'postgres:17',
} as const;
