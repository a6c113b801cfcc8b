import { reportFailure } from '../app/report-failure.ts'
import { makeResources } from '../compose.ts'
import { listSecrets } from '../config/list-secrets.ts'
import { loadConfig } from '../config/load-config.ts'
import { QuerentError } from '../core/errors.ts'
import { dayOf } from '../lib/day-of.ts'
import { makeLog } from '../telemetry/log.ts'
import { toAskReport } from './ask-report.ts'
import { type CommandName, type CommandOptions, commands } from './commands.ts'
import { makeProgressBar } from './draw-progress.ts'
import { parseAsOf } from './parse-as-of.ts'
import { terminalHere } from './terminal-here.ts'
import { writeJson } from './write-json.ts'

/** Codes of failures that are the caller's own, with exit status 2; everything else that throws is 1. */
const callersOwn = new Set(['bad-arguments', 'bad-configuration', 'unknown-database'])

/**
 * Runs one command: reads the configuration, makes the resources, and gives them back whatever happened. Sets the
 * exit status: 0 for every honest outcome, 1 when the work failed, 2 when arguments or configuration are wrong.
 */
export const runCommand = async (name: CommandName, options: CommandOptions): Promise<void> => {
  const interrupted = new AbortController()
  const onInterrupt = (): void => interrupted.abort(new QuerentError('cancelled', 'stopped by Ctrl-C'))
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  const started = performance.now()
  let release: () => Promise<void> = async () => {}
  try {
    const config = loadConfig()
    const log = makeLog({ level: config.logLevel ?? 'warn', secrets: listSecrets(config) })
    const terminal = terminalHere(config.workingFolder)
    const bar = makeProgressBar(terminal)
    const now = parseAsOf(options.asOf, config.timeZone, new Date())
    const asOf = dayOf(now, config.timeZone)
    const resources = makeResources(config, { log, asOf, onProgress: bar.onProgress })
    release = async () => {
      bar.clear()
      await resources.release()
    }
    const context = {
      config,
      log,
      terminal,
      resources,
      now,
      signal: interrupted.signal,
      onProgress: bar.onProgress,
      clearProgress: bar.clear,
    }
    process.exitCode = await commands[name](options, context)
  } catch (error) {
    // Whoever reads JSON from `ask` reads it also when there was no run at all.
    if (name === 'ask' && options.json) {
      const report = reportFailure('', error)
      writeJson(
        process.stdout,
        toAskReport(options.question ?? '', report, null, performance.now() - started),
      )
    }
    process.exitCode = sayFailure(error)
  } finally {
    await release().catch((error: unknown) => sayFailure(error))
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

const sayFailure = (error: unknown): number => {
  if (error instanceof QuerentError) {
    process.stderr.write(`${error.message}\n`)
    return callersOwn.has(error.code) ? 2 : 1
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return 1
}
