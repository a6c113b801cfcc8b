import { listSecrets, loadConfig } from '../src/config/load-config.ts'
import { QuerentError } from '../src/domain/errors.ts'
import { makeReleasers } from '../src/lib/releasers.ts'
import { makeLog } from '../src/telemetry/log.ts'
import { formatReadyMessage } from './ready-message.ts'
import { startDemo } from './start-demo.ts'

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Runs the demo as the only work of this process. Returns the exit status, after writing why it failed, if it did. */
export const runDemo = async (): Promise<number> => {
  try {
    await runUntilStopped()
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof QuerentError ? error.message : (error as Error).stack}\n`)
    return 1
  }
}

/** Runs the demo until Ctrl-C, and gives back what it took. */
const runUntilStopped = async (): Promise<void> => {
  const releasers = makeReleasers()
  const started = performance.now()
  try {
    const configured = loadConfig()
    const log = makeLog({ level: configured.logLevel ?? 'warn', secrets: listSecrets(configured) })
    // As with `querent serve`: a failed write of a step ends that step, and not the process.
    const onUnhandled = (error: unknown): void => log.error({ error }, 'an error went unhandled')
    process.on('unhandledRejection', onUnhandled)
    releasers.push(() => void process.off('unhandledRejection', onUnhandled))
    const stopped = Promise.withResolvers<void>()
    process.once('SIGINT', () => stopped.resolve())
    process.once('SIGTERM', () => stopped.resolve())
    const { simulator, database, tables } = await startDemo({
      configured,
      store: 'querent_demo',
      log,
      releasers,
      now: () => new Date(),
      say,
    })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    for (const line of formatReadyMessage({ url: simulator.url, database, tables, seconds })) say(line)
    await stopped.promise
    say('Stopping ...')
  } finally {
    await releasers.release()
  }
}
