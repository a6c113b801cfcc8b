import { readdirSync, readFileSync } from 'node:fs'
import { observeFor } from '../../helpers/wait.ts'

interface Process {
  readonly pid: number
  /** Processor time used so far, in ticks. */
  readonly ticks: number
}

/** How long a process is looked at to tell whether it works. */
const LOOK_MS = 150
/** More than this within that time is work; fewer ticks may go to collecting garbage. */
const IDLE_TICKS = 3

/**
 * Looks from outside at the child processes of a connector, each of which was told of a path. `program` ends the name
 * of their program, `isTold` says whether a word of the command line names the path.
 */
export const watchProcesses = (program: string, isTold: (word: string, path: string) => boolean) => {
  /** Those that live, as the system sees them. A zombie only waits to be counted. */
  const processesOn = (path: string): readonly Process[] =>
    readdirSync('/proc')
      .filter(entry => /^\d+$/.test(entry))
      .flatMap(entry => {
        try {
          const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0')
          if (!words.some(word => word.endsWith(program))) return []
          if (!words.some(word => isTold(word, path))) return []
          const [state, ...fields] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1]!.split(' ')
          if (state === 'Z' || state === 'X') return []
          return [{ pid: Number(entry), ticks: Number(fields[10]) + Number(fields[11]) }]
        } catch {
          return []
        }
      })

  /** How many of them are at work: their processor time grows. */
  const workingOn = async (path: string): Promise<number> => {
    const before = new Map(processesOn(path).map(({ pid, ticks }) => [pid, ticks]))
    await observeFor(LOOK_MS)
    return processesOn(path).filter(({ pid, ticks }) => ticks > (before.get(pid) ?? 0) + IDLE_TICKS).length
  }

  return { processesOn, workingOn }
}
