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
import { redact } from '../lib/redact.ts'
import { dayOf } from '../lib/time-zone.ts'
import { makeLog } from '../telemetry/log.ts'
import { toAskReport } from './answer-report.ts'
import { type CommandContext, type CommandHost, currentPerson } from './command-context.ts'
import { type CommandName, type CommandOptions, commands } from './commands.ts'
import { notATime, stoppedByCtrlC } from './copy/phrases.ts'
import { makeProgressBar, processTerminal, writeJson } from './terminal.ts'

/** Runs one command in this process: on its terminal, with its environment, until Ctrl-C. Returns the exit status. */
export const runCommandInProcess = async (name: CommandName, options: CommandOptions): Promise<number> => {
  const interrupted = new AbortController()
  const onInterrupt = (): void => interrupted.abort(new QuerentError('cancelled', stoppedByCtrlC))
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  try {
    return await runCommand(name, options, { terminal: processTerminal(), signal: interrupted.signal })
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

/** Errors with exit status 2: the arguments or the configuration are wrong. All others have 1. */
const usageErrorCodes = new Set(['bad-arguments', 'bad-configuration', 'unknown-database'])

/**
 * Runs one command: reads the configuration, opens the resources, and always releases them. Returns the exit status: 1 if
 * the work failed, 2 if arguments or configuration are wrong, 0 otherwise.
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
      for (const opened of [...reopened.toReversed(), resources]) await opened.release()
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
    // For statements of the command itself; its questions have contexts of their own.
    const own = maintenanceRunContext(name === 'index' ? 'index' : 'command', null)
    status = await resources.inRunContext(own, () => commands[name](options, context))
  } catch (error) {
    // A script that reads the JSON of `ask` gets it also if the run could not start.
    if (name === 'ask' && options.json) {
      const report = reportFailure('', error)
      writeJson(out, toAskReport(options.question ?? '', report, null, performance.now() - started))
    }
    status = printFailure(err, error)
  }
  await release().catch((error: unknown) => printFailure(err, error))
  return status
}

/** The name with its subcommand: `eval questions`, `installations rotate-keys`. */
const commandAsTyped = (name: CommandName): string => name.replace('-', ' ')

const printFailure = (err: Writable, error: unknown): number => {
  if (error instanceof QuerentError) {
    err.write(`${error.message}\n`)
    return usageErrorCodes.has(error.code) ? 2 : 1
  }
  err.write(`${redact(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
  return 1
}

/**
 * Parses `--as-of`. A day means its end, since a day that is "now" includes all that happened on it. If left out, it is the
 * time of the command.
 */
const parseAsOf = (text: string | undefined, timeZone: string, now: Date): Date => {
  if (text === undefined) return now
  const parsed = DateTime.fromISO(text, { zone: timeZone })
  if (!parsed.isValid) {
    throw new QuerentError('bad-arguments', notATime('--as-of', text))
  }
  return (/^\d{4}-\d{2}-\d{2}$/.test(text) ? parsed.endOf('day') : parsed).toJSDate()
}
