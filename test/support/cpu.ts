/** Work, where it matters that it is bounded: time of the processor, to which other work beside it adds nothing. */

/** Milliseconds that this process has computed. */
export function computed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
