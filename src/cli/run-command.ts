import type { Writable } from 'node:stream'
import { reportFailure } from '../app/questions/report-failure.ts'
import { maintenanceRunContext } from '../compose/audit/context-of-upkeep.ts'
import { makeResources, type Resources } from '../compose.ts'
import type { Config } from '../config/config.ts'
import { listSecrets } from '../config/list-secrets.ts'
import { loadConfig } from '../config/load-config.ts'
import { QuerentError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { CommandCaller } from '../core/run-context.ts'
import { dayOf } from '../lib/day-of.ts'
import { makeLog } from '../telemetry/log.ts'
import { toAskReport } from './ask-report.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandHost } from './command-host.ts'
import { type CommandName, type CommandOptions, commands } from './commands.ts'
import { makeProgressBar } from './draw-progress.ts'
import { parseAsOf } from './parse-as-of.ts'
import { currentPerson } from './person-here.ts'
import { writeJson } from './write-json.ts'

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
