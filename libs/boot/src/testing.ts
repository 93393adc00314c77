export { serviceWorld, type ServiceWorld } from './testing/service-world.ts';
export { type ShownChange, specifyShownChanges } from './testing/shown-changes.ts';
