import Table from 'cli-table3'
import pc from 'picocolors'
import { serve } from '../bootstrap/serve.ts'
import { type Check, checkParts } from './checks/checks.ts'
import type { CommandContext } from './command-context.ts'
import { doctorCopy, migrateCopy } from './copy/operations.ts'
import { terminalWidth, wrapWords, writeJson } from './terminal.ts'

/** Retries of Slack requests would otherwise keep the finished process alive for half an hour. */
const SHUTDOWN_TIMEOUT_MS = 500

/** `serve`: runs the bot until it is stopped, like `npm start`. It opens its own resources. */
export const runServe = async (_options: unknown, { config }: CommandContext): Promise<number> => {
  try {
    await serve(config)
    return 0
  } finally {
    // Unreferenced: it fires only if something else keeps the process alive.
    setTimeout(() => process.exit(), SHUTDOWN_TIMEOUT_MS).unref()
  }
}

/** `migrate`: updates the schema of Querent's own database, which opening the store does. */
export const runMigrate = async (
  options: { readonly json?: boolean },
  { resources, terminal }: CommandContext,
): Promise<number> => {
  const { migrated } = await resources.ownStore()
  if (options.json) writeJson(terminal.out, { migrated })
  else terminal.out.write(`${migrated.length > 0 ? migrateCopy.ran(migrated) : migrateCopy.nothingToDo}\n`)
  return 0
}

/** `doctor`: checks each part and says what to do. Exit status 1 if a part is broken, 0 also if one is weak. */
export const runDoctor = async (
  options: { readonly database?: string; readonly json?: boolean },
  context: CommandContext,
): Promise<number> => {
  const checks = await checkParts(context, options.database ?? null)
  context.clearProgress()
  if (options.json) writeJson(context.terminal.out, { checks })
  else context.terminal.out.write(renderChecks(checks, terminalWidth(context.terminal.out)))
  return checks.some(check => check.status === 'broken') ? 1 : 0
}

const marks: Readonly<Record<Check['status'], string>> = {
  ok: pc.green(doctorCopy.marks.ok),
  'not-set': pc.dim(doctorCopy.marks['not-set']),
  weak: pc.yellow(doctorCopy.marks.weak),
  broken: pc.red(doctorCopy.marks.broken),
}

/** Characters of a row that are not words: borders, spaces, and the widest mark. */
const ROW_OVERHEAD = 17

const MIN_WIDTH = 30

/**
 * Renders the findings as a table, and below it the parts that are broken or weak. `width`: the width of the terminal in
 * characters, to wrap findings; without it they are not wrapped.
 */
export const renderChecks = (checks: readonly Check[], width?: number): string => {
  const left = Math.max(...checks.map(({ part }) => part.length))
  const room =
    width === undefined ? Number.POSITIVE_INFINITY : Math.max(MIN_WIDTH, width - left - ROW_OVERHEAD)
  const table = new Table({ style: { head: [], border: [], compact: true }, head: [...doctorCopy.head] })
  for (const { part, status, finding, todo } of checks) {
    const found = wrapWords(finding.replaceAll('; ', '\n'), room)
    const [first = '', ...rest] = todo ? wrapWords(`${doctorCopy.toDo} ${todo}`, room) : []
    const toDo = todo ? [first.replace(doctorCopy.toDo, pc.bold(doctorCopy.toDo)), ...rest] : []
    table.push([part, marks[status], [...found, ...toDo].join('\n')])
  }
  const named = (status: Check['status']): readonly string[] => {
    const parts = checks.filter(check => check.status === status).map(({ part }) => part)
    return parts.length === 0 ? [] : [`${marks[status]}: ${parts.join(', ')}`]
  }
  return `${[table.toString(), ...named('broken'), ...named('weak')].join('\n')}\n`
}
