export { createService, type RoutingDeps, type RoutingService } from './compose/create-service.ts';
export { openService, type OpenOptions } from './compose/open-service.ts';
export { startInternalHttp, type InternalHttp } from './http/internal-http.ts';
