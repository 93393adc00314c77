import { kubernetesHere } from '../../testing/engines-here.ts';
import { escapeSuite } from '../../testing/escape-suite.ts';

// The double of the cluster runs pods in namespaces of this machine. System calls and devices are those of the runtime
// class: a cluster has to be tried for itself. Its pods have users of their own, and end as a whole when they use too
// much memory.
escapeSuite('Kubernetes', await kubernetesHere(), {
  hasOwnKernel: true,
  isElsewhere: true,
  devices: [],
  boundsFiles: false,
  mayBeLost: true,
});
