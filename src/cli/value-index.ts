import Table from 'cli-table3'
import pc from 'picocolors'
import { type Models, makeModels } from '../bootstrap/answering/models.ts'
import { sampleCompany } from '../bootstrap/databases/databases.ts'
import { type DescribedDatabase, describeDatabase } from '../bootstrap/databases/describe-database.ts'
import type { IndexReport } from '../domain/database.ts'
import { QuerentError } from '../domain/errors.ts'
import { makeMemoryModelLedger } from '../store/in-memory.ts'
import type { CommandContext } from './command-context.ts'
import { writeJson } from './terminal.ts'

/** Lines of one kind that are shown; the rest is counted. */
const MAX_LINES = 20

/** What `index` was told on the command line. */
interface IndexOptions {
  readonly database?: string
  readonly describe?: boolean
  readonly model?: string
  readonly json?: boolean
}

/**
 * `index`: measures a database and indexes its values, and tells what it came to and what was left out. Exit status 1
 * when something in the team's knowledge is wrong: it is what a check in CI looks for.
 */
export const runIndexDatabase = async (options: IndexOptions, context: CommandContext): Promise<number> => {
  const { config, resources, terminal, signal } = context
  const name = options.database ?? config.defaultDatabase ?? sampleCompany
  const models = options.describe ? await makeDescribingModels(context, options.model ?? null) : null
  const report = await resources.indexDatabase(name, { signal })
  const described = models
    ? await describeDatabase(await resources.openDatabase(name, { signal }), {
        describe: models.describeTable,
        about: config.databases[name]?.description ?? name,
        knowledgeFolder: config.knowledgeFolder,
        onProgress: context.onProgress,
        signal,
      })
    : null
  context.clearProgress()
  const notes = [...formatNotes(report), ...(described ? describedNotes(described) : [])]
  if (options.json) {
    const { tables, columns, values, milliseconds, bytes } = report
    writeJson(terminal.out, { tables, columns, values, milliseconds, bytes })
    for (const line of notes) terminal.err.write(`${line}\n`)
  } else terminal.out.write(`${[...writeReport(report), ...notes].join('\n')}\n`)
  return report.knowledgeProblems.length > 0 ? 1 : 0
}

const makeDescribingModels = async (
  { config, resources }: CommandContext,
  named: string | null,
): Promise<Models> => {
  const books = { ledger: makeMemoryModelLedger(), askedBy: async () => null }
  const models = await makeModels(config, named, {
    books,
    log: resources.log,
    inSpan: await resources.inSpan(),
  })
  if (models) return models
  throw new QuerentError(
    'bad-arguments',
    '--describe needs a model: name one with --model, or set models.describer in querent.yml',
  )
}

const describedNotes = ({ file, tables, columns, failed, usage }: DescribedDatabase): readonly string[] => [
  `${formatCount(tables, 'table')} and ${formatCount(columns, 'column')} described in ${file}: read it, correct it, commit it.`,
  `${formatCount(usage.modelCalls, 'model call')}, ${formatCount(usage.promptTokens + usage.completionTokens, 'token')}`,
  ...formatSection(
    'Not described:',
    failed.map(({ table, why }) => `${table}: ${why}`),
  ),
]

const writeReport = (report: IndexReport): readonly string[] => [
  `${formatCount(report.tables, 'table')}, ${formatCount(report.columns, 'column')} and ${formatCount(report.values, 'value')} in ${formatSeconds(report.milliseconds)}`,
  `${pc.dim('value index')} ${(report.bytes / 1e6).toFixed(1)} MB`,
]

const formatNotes = ({ derivedKeys, leftOut, knowledgeProblems }: IndexReport): readonly string[] => [
  ...formatSection(
    'Keys that nobody declared, found by names and values:',
    derivedKeys.map(
      ({ from, to, inclusion }) =>
        `${from.table}.${from.columns.join(', ')} -> ${to.table}.${to.columns.join(', ')} (${Math.floor((inclusion ?? 0) * 100)} % of its values are there)`,
    ),
  ),
  ...formatSection(
    'Left out:',
    leftOut.map(({ what, why }) => `${what}: ${why}`),
  ),
  ...formatSection(
    'Wrong in the knowledge of the team, and left out:',
    knowledgeProblems.map(({ at, message }) => `${at.file}:${at.line}: ${message}`),
  ),
]

const formatSection = (title: string, lines: readonly string[]): readonly string[] => {
  if (lines.length === 0) return []
  const more = lines.length - MAX_LINES
  return [
    pc.bold(title),
    ...lines.slice(0, MAX_LINES).map(line => `  ${line}`),
    ...(more > 0 ? [pc.dim(`  and ${more} more`)] : []),
  ]
}

const formatCount = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

/** `values`: what the value index of a database finds for a keyword. */
export const runValues = async (
  options: {
    readonly keyword?: string | undefined
    readonly database?: string | undefined
    readonly json?: boolean | undefined
  },
  { config, resources, terminal, signal, clearProgress }: CommandContext,
): Promise<number> => {
  const database = await resources.openDatabase(options.database ?? config.defaultDatabase ?? sampleCompany, {
    signal,
  })
  const found = database.findValues(options.keyword ?? '')
  clearProgress()
  if (options.json) {
    writeJson(
      terminal.out,
      found.map(({ table, column, value, score }) => ({ table, column, value, score })),
    )
    return 0
  }
  if (found.length === 0) {
    terminal.out.write('No value of this database is like that.\n')
    return 0
  }
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: ['score', 'table', 'column', 'value'],
  })
  for (const { table: name, column, value, score } of found)
    table.push([score.toFixed(2), name, column, value])
  terminal.out.write(`${table.toString()}\n`)
  return 0
}
