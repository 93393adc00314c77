import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';

const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];

/** Returns the resource of all spans and metrics. `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` come first. */
export function resourceOf(serviceName: string): Resource {
  return resourceFromAttributes({ 'service.name': serviceName }).merge(
    detectResources({ detectors }),
  );
}
