import type { Writable } from 'node:stream'
import { DateTime } from 'luxon'
import { reportFailure } from '../answering/run-question.ts'
import { maintenanceRunContext } from '../audit/run-contexts.ts'
import { makeResources, type Resources } from '../bootstrap/resources.ts'
import type { Config } from '../config/config.ts'
import { listSecrets, loadConfig } from '../config/load-config.ts'
import { QuerentError } from '../domain/errors.ts'
import type { CommandCaller } from '../domain/operations/audit.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { dayOf } from '../lib/time-zone.ts'
import { makeLog } from '../telemetry/log.ts'
import { toAskReport } from './answer-report.ts'
import { type CommandContext, type CommandHost, currentPerson } from './command-context.ts'
import { type CommandName, type CommandOptions, commands } from './commands.ts'
import { makeProgressBar, processTerminal, writeJson } from './terminal.ts'

/** Runs one command in this process: on its terminal, with its environment, until Ctrl-C. Returns the exit status. */
export const runCommandInProcess = async (name: CommandName, options: CommandOptions): Promise<number> => {
  const interrupted = new AbortController()
  const onInterrupt = (): void => interrupted.abort(new QuerentError('cancelled', 'stopped by Ctrl-C'))
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  try {
    return await runCommand(name, options, { terminal: processTerminal(), signal: interrupted.signal })
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

/** Codes of failures that are the caller's own, with exit status 2; everything else that throws is 1. */
const usageErrorCodes = new Set(['bad-arguments', 'bad-configuration', 'unknown-database'])

/**
 * Runs one command: reads the configuration, makes the resources, and gives them back whatever happened. Returns the
 * exit status: 0 for every honest outcome, 1 when the work failed, 2 when arguments or configuration are wrong.
 */
export const runCommand = async (
  name: CommandName,
  options: CommandOptions,
  host: CommandHost,
): Promise<number> => {
  const { out, err } = host.terminal
  const started = performance.now()
  let release: () => Promise<void> = async () => {}
  let status: number
  try {
    const config = loadConfig(host.source)
    const logFor = (config: Config): Log =>
      makeLog({
        level: config.logLevel ?? 'warn',
        secrets: listSecrets(config),
        ...(host.logTo && { destination: host.logTo }),
      })
    const log = logFor(config)
    const terminal = { ...host.terminal, folder: config.workingFolder }
    const bar = makeProgressBar(terminal)
    const now = parseAsOf(options.asOf, config.timeZone, new Date())
    const asOf = dayOf(now, config.timeZone)
    const shell: CommandCaller = { person: currentPerson(), command: `querent ${commandAsTyped(name)}` }
    const { onProgress } = bar
    const resources = makeResources(config, { log, asOf, onProgress, shell })
    const reopened: Resources[] = []
    const reopen: CommandContext['reopen'] = () => {
      const config = loadConfig(host.source)
      const resources = makeResources(config, { log: logFor(config), asOf, onProgress, shell })
      reopened.push(resources)
      return { config, resources }
    }
    release = async () => {
      bar.clear()
      for (const house of [...reopened.toReversed(), resources]) await house.release()
    }
    const context: CommandContext = {
      config,
      log,
      terminal,
      resources,
      source: host.source ?? {},
      reopen,
      shell,
      now,
      signal: host.signal,
      onProgress,
      clearProgress: bar.clear,
    }
    // What a command reads by itself; the questions that it asks have contexts of their own.
    const own = maintenanceRunContext(name === 'index' ? 'index' : 'command', null)
    status = await resources.inRunContext(own, () => commands[name](options, context))
  } catch (error) {
    // Whoever reads JSON from `ask` reads it also when there was no run at all.
    if (name === 'ask' && options.json) {
      const report = reportFailure('', error)
      writeJson(out, toAskReport(options.question ?? '', report, null, performance.now() - started))
    }
    status = printFailure(err, error)
  }
  await release().catch((error: unknown) => printFailure(err, error))
  return status
}

/** The name as it is typed: `eval questions`, `installations rotate-keys`. */
const commandAsTyped = (name: CommandName): string => name.replace('-', ' ')

const printFailure = (err: Writable, error: unknown): number => {
  if (error instanceof QuerentError) {
    err.write(`${error.message}\n`)
    return usageErrorCodes.has(error.code) ? 2 : 1
  }
  err.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return 1
}

/**
 * What `--as-of` means: a moment, or a whole day, which is then taken at its end, because a day that is "now" has
 * happened. Without it: the moment of the command.
 */
const parseAsOf = (text: string | undefined, timeZone: string, now: Date): Date => {
  if (text === undefined) return now
  const parsed = DateTime.fromISO(text, { zone: timeZone })
  if (!parsed.isValid) {
    throw new QuerentError(
      'bad-arguments',
      `--as-of is not a day or a moment: “${text}”; write 2026-03-31 or 2026-03-31T09:00`,
    )
  }
  return (/^\d{4}-\d{2}-\d{2}$/.test(text) ? parsed.endOf('day') : parsed).toJSDate()
}
