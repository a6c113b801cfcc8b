import { readFileSync } from 'node:fs'

/** Resident memory of a process in whole megabytes, as the kernel of Linux tells it. */
export const readMemory = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error(`the memory of process ${pid} cannot be read`)
  return Math.round(Number(kilobytes) / 1024)
}
