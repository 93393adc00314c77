import { e2bHere } from '../../testing/engines-here.ts';
import { escapeSuite } from '../../testing/escape-suite.ts';

// The double of E2B runs machines in namespaces of this machine. Kernels, devices and networks of virtual machines are
// those of E2B, and are not tried here.
escapeSuite('E2B', await e2bHere(), {
  hasOwnKernel: true,
  isElsewhere: true,
  processesMax: 20,
  devices: [],
  boundsFiles: true,
  mayBeLost: false,
});
