/** Holds the event that names the installation, and what an operator did to it: histories accepted, events skipped. */
export const installationStream = 'installation';
