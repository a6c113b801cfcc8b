import Table from 'cli-table3'
import pc from 'picocolors'
import type { Check } from '../compose/checks/check.ts'
import { wrapWords } from '../lib/wrap-words.ts'

const marks: Readonly<Record<Check['status'], string>> = {
  ok: pc.green('ok'),
  'not-set': pc.dim('not set'),
  weak: pc.yellow('weak'),
  broken: pc.red('broken'),
}

/** What stands in a row of the table beside its words: borders, spaces, and the widest mark. */
const ROW_OVERHEAD = 17
const MIN_WIDTH = 30

/**
 * What was found of each part as a table, and in a line below it which parts need somebody. `width`: that of the terminal,
 * in characters, which the words are wrapped to; without one they are not.
 */
export const renderChecks = (checks: readonly Check[], width?: number): string => {
  const left = Math.max(...checks.map(({ part }) => part.length))
  const room =
    width === undefined ? Number.POSITIVE_INFINITY : Math.max(MIN_WIDTH, width - left - ROW_OVERHEAD)
  const table = new Table({ style: { head: [], border: [], compact: true }, head: ['part', '', 'finding'] })
  for (const { part, status, finding, todo } of checks) {
    const found = wrapWords(finding.replaceAll('; ', '\n'), room)
    const [first = '', ...rest] = todo ? wrapWords(`To do: ${todo}`, room) : []
    const toDo = todo ? [first.replace('To do:', pc.bold('To do:')), ...rest] : []
    table.push([part, marks[status], [...found, ...toDo].join('\n')])
  }
  const named = (status: Check['status']): readonly string[] => {
    const parts = checks.filter(check => check.status === status).map(({ part }) => part)
    return parts.length === 0 ? [] : [`${marks[status]}: ${parts.join(', ')}`]
  }
  return `${[table.toString(), ...named('broken'), ...named('weak')].join('\n')}\n`
}
