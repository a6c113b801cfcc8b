import pc from 'picocolors'
import { sampleCompany } from '../compose/make-databases.ts'
import type { IndexReport } from '../core/index-report.ts'
import type { CommandContext } from './command-context.ts'
import { writeJson } from './write-json.ts'

/** Lines of one kind that are shown; the rest is counted. */
const mostLines = 20

/** `index`: measures a database and indexes its values, and tells what it came to and what was left out. */
export const runIndexDatabase = async (
  options: { readonly database?: string; readonly json?: boolean },
  context: CommandContext,
): Promise<number> => {
  const { config, resources, terminal, signal } = context
  const name = options.database ?? config.defaultDatabase ?? sampleCompany
  const report = await resources.indexDatabase(name, { signal })
  context.clearProgress()
  if (options.json) {
    const { tables, columns, values, milliseconds, bytes } = report
    writeJson(terminal.out, { tables, columns, values, milliseconds, bytes })
    for (const line of notesOf(report)) terminal.err.write(`${line}\n`)
    return 0
  }
  terminal.out.write(`${writeReport(report).join('\n')}\n`)
  return 0
}

const writeReport = (report: IndexReport): readonly string[] => [
  `${count(report.tables, 'table')}, ${count(report.columns, 'column')} and ${count(report.values, 'value')} in ${seconds(report.milliseconds)}`,
  `${pc.dim('value index')} ${(report.bytes / 1e6).toFixed(1)} MB`,
  ...notesOf(report),
]

const notesOf = ({ derivedKeys, leftOut }: IndexReport): readonly string[] => [
  ...section(
    'Keys that nobody declared, found by names and values:',
    derivedKeys.map(
      ({ from, to, inclusion }) =>
        `${from.table}.${from.columns.join(', ')} -> ${to.table}.${to.columns.join(', ')} (${Math.floor((inclusion ?? 0) * 100)} % of its values are there)`,
    ),
  ),
  ...section(
    'Left out:',
    leftOut.map(({ what, why }) => `${what}: ${why}`),
  ),
]

const section = (title: string, lines: readonly string[]): readonly string[] => {
  if (lines.length === 0) return []
  const more = lines.length - mostLines
  return [
    pc.bold(title),
    ...lines.slice(0, mostLines).map(line => `  ${line}`),
    ...(more > 0 ? [pc.dim(`  and ${more} more`)] : []),
  ]
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
