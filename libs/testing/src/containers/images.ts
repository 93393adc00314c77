/** The servers that production runs on, as docker-compose.yml names them. */
export const images = {
  eventStore: 'eventstore/eventstore:24.6.0-jammy',
  nats: 'nats:2.12-alpine',
  postgres: 'postgres:17',
} as const;
