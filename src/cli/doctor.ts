import Table from 'cli-table3'
import pc from 'picocolors'
import { checkParts } from '../compose/check-parts.ts'
import type { CommandContext } from './command-context.ts'
import { writeJson } from './write-json.ts'

const marks = { ok: pc.green('ok'), 'not-set': pc.dim('not set'), broken: pc.red('broken') } as const

/** `doctor`: checks each part and says what to do. Exit status 1 when a part is broken. */
export const runDoctor = async (
  options: { readonly database?: string; readonly json?: boolean },
  context: CommandContext,
): Promise<number> => {
  const checks = await checkParts(context, options.database ?? null)
  context.clearProgress()
  if (options.json) writeJson(context.terminal.out, { checks })
  else {
    const table = new Table({ style: { head: [], border: [], compact: true }, head: ['part', '', 'finding'] })
    for (const { part, status, finding, todo } of checks) {
      const found = finding.replaceAll('; ', '\n')
      table.push([part, marks[status], todo ? `${found}\n${pc.bold('To do:')} ${todo}` : found])
    }
    context.terminal.out.write(`${table.toString()}\n`)
  }
  return checks.some(check => check.status === 'broken') ? 1 : 0
}
