import { otlpSender, tracesUrl } from '../otlp/otlp-sender.ts';

/** A collector of OpenTelemetry, or anything else that takes OTLP over HTTP. */
export const otelCollector = otlpSender({
  target: ({ config }) => ({ url: tracesUrl(String(config['endpoint'])) }),
});
