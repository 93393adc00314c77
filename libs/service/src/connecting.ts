/**
 * How many connections of one server may wait to be taken; the kernel allows no more than its
 * net.core.somaxconn. One that finds no place tries again after a second, as clients do who all come back at
 * once after a restart: what Node.js asks for itself, 511, is soon full.
 */
export const connectingMax = 4_096;
