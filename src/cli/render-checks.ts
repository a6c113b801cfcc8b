import Table from 'cli-table3'
import pc from 'picocolors'
import type { Check } from '../compose/checks/check.ts'

const marks: Readonly<Record<Check['status'], string>> = {
  ok: pc.green('ok'),
  'not-set': pc.dim('not set'),
  weak: pc.yellow('weak'),
  broken: pc.red('broken'),
}

/** What was found of each part as a table, and in a line below it which parts need somebody. */
export const renderChecks = (checks: readonly Check[]): string => {
  const table = new Table({ style: { head: [], border: [], compact: true }, head: ['part', '', 'finding'] })
  for (const { part, status, finding, todo } of checks) {
    const found = finding.replaceAll('; ', '\n')
    table.push([part, marks[status], todo ? `${found}\n${pc.bold('To do:')} ${todo}` : found])
  }
  const named = (status: Check['status']): readonly string[] => {
    const parts = checks.filter(check => check.status === status).map(({ part }) => part)
    return parts.length === 0 ? [] : [`${marks[status]}: ${parts.join(', ')}`]
  }
  return `${[table.toString(), ...named('broken'), ...named('weak')].join('\n')}\n`
}
