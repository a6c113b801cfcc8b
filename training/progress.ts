import { SingleBar } from 'cli-progress'

/** A progress bar on a terminal, and a line now and then where standard error is none. */
export const drawProgress = (doing: string): ((done: number, total: number) => void) => {
  const bar = new SingleBar({
    format: `${doing} {bar} {value}/{total}, {eta_formatted} to go`,
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 10_000,
  })
  return (done, total) => {
    if (done === 1) bar.start(total, 0)
    bar.update(done)
    if (done === total) bar.stop()
  }
}
