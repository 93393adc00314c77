export { createService, type RoutingDeps, type RoutingService } from './create-service.ts';
export { openService, type OpenOptions } from './open-service.ts';
export { startInternalHttp, type InternalHttp } from './http/internal-http.ts';
