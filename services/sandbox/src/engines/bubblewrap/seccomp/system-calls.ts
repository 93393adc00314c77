/** The machines whose system calls are known here, and their names in the kernel's audit interface. */
export const auditArchitectures = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
} as const;

export type Architecture = keyof typeof auditArchitectures;

type Numbers = Readonly<Partial<Record<Architecture, number>>>;

const number = (x64: number, arm64?: number): Numbers => ({
  x64,
  ...(arm64 === undefined ? {} : { arm64 }),
});

/**
 * System calls that no command of a sandbox may make. The kernel refuses most of them to a process without
 * capabilities anyway: the filter keeps their code, where its bugs are, out of reach.
 */
export const deniedCalls: Readonly<Record<string, Numbers>> = {
  // Keys of the kernel are shared by all processes of a user.
  add_key: number(248, 217),
  request_key: number(249, 218),
  keyctl: number(250, 219),
  // Memory and files of other processes.
  ptrace: number(101, 117),
  process_vm_readv: number(310, 270),
  process_vm_writev: number(311, 271),
  process_madvise: number(440, 440),
  kcmp: number(312, 272),
  pidfd_getfd: number(438, 438),
  // Large parts of the kernel with a history of escapes.
  perf_event_open: number(298, 241),
  bpf: number(321, 280),
  userfaultfd: number(323, 282),
  io_uring_setup: number(425, 425),
  io_uring_enter: number(426, 426),
  io_uring_register: number(427, 427),
  vmsplice: number(278, 75),
  fanotify_init: number(300, 262),
  memfd_secret: number(447, 447),
  // Mounts and namespaces.
  mount: number(165, 40),
  umount2: number(166, 39),
  pivot_root: number(155, 41),
  chroot: number(161, 51),
  fsopen: number(430, 430),
  fsconfig: number(431, 431),
  fsmount: number(432, 432),
  fspick: number(433, 433),
  move_mount: number(429, 429),
  open_tree: number(428, 428),
  mount_setattr: number(442, 442),
  setns: number(308, 268),
  unshare: number(272, 97),
  // The machine itself.
  kexec_load: number(246, 104),
  kexec_file_load: number(320, 294),
  init_module: number(175, 105),
  finit_module: number(313, 273),
  delete_module: number(176, 106),
  swapon: number(167, 224),
  swapoff: number(168, 225),
  reboot: number(169, 142),
  acct: number(163, 89),
  quotactl: number(179, 60),
  quotactl_fd: number(443, 443),
  syslog: number(103, 116),
  settimeofday: number(164, 170),
  clock_settime: number(227, 112),
  clock_adjtime: number(305, 266),
  adjtimex: number(159, 171),
  sethostname: number(170, 161),
  setdomainname: number(171, 162),
  vhangup: number(153, 58),
  iopl: number(172),
  ioperm: number(173),
  modify_ldt: number(154),
  // Files past their permissions.
  open_by_handle_at: number(304, 265),
  name_to_handle_at: number(303, 264),
  // The placement of memory.
  mbind: number(237, 235),
  migrate_pages: number(256, 238),
  move_pages: number(279, 239),
  set_mempolicy: number(238, 237),
  set_mempolicy_home_node: number(450, 450),
  // Calls of old kernels.
  lookup_dcookie: number(212, 18),
  nfsservctl: number(180, 42),
  ustat: number(136),
  sysfs: number(139),
  uselib: number(134),
  _sysctl: number(156),
  create_module: number(174),
  get_kernel_syms: number(177),
  query_module: number(178),
  vserver: number(236),
};

/** System calls whose arguments decide. */
export const checkedCalls = {
  clone: number(56, 220),
  clone3: number(435, 435),
  ioctl: number(16, 29),
  socket: number(41, 198),
  personality: number(135, 92),
} as const satisfies Readonly<Record<string, Numbers>>;
