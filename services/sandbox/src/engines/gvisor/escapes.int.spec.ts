import { gvisorHere } from '../../testing/engines-here.ts';
import { escapeSuite } from '../../testing/escape-suite.ts';

// gVisor runs its kernel as a process. A container that uses too much memory ends with that process.
escapeSuite('gVisor', await gvisorHere(), {
  hasOwnKernel: true,
  devices: ['fuse', 'net/tun'],
  boundsFiles: false,
  mayBeLost: true,
});
