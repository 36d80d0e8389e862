/** Work, where what matters is that it is bounded: time of the processor, which other work on the machine does not add to. */

/** Milliseconds that this process has computed. */
export function computed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
