import Table from 'cli-table3'
import pc from 'picocolors'
import { type Models, makeModels } from '../bootstrap/answering/models.ts'
import { sampleCompany } from '../bootstrap/databases/databases.ts'
import { type DescribedDatabase, describeDatabase } from '../databases/knowledge/describe-database.ts'
import type { IndexReport } from '../domain/database.ts'
import { QuerentError } from '../domain/errors.ts'
import type { KnowledgeProblem } from '../domain/knowledge.ts'
import type { SemanticLayer } from '../domain/metrics/semantic-layer.ts'
import { makeMemoryModelLedger } from '../store/in-memory.ts'
import type { CommandContext } from './command-context.ts'
import { indexCopy as copy, valuesCopy } from './copy/ask.ts'
import { semanticCopy } from './copy/semantic.ts'
import { countLayer, formatProblem, readLayer } from './semantic/semantic.ts'
import { writeJson } from './terminal.ts'

/** Lines shown of each section; the rest is only counted. */
const MAX_LINES = 20

/** The options of `index`. */
interface IndexOptions {
  readonly database?: string
  readonly describe?: boolean
  readonly model?: string
  readonly json?: boolean
}

/**
 * `index`: reads the schema of a database, indexes its values, and reports counts and what was left out. Exit status 1 if
 * the team's knowledge or semantic layer has an error, so that CI can check it.
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
  const { layer, problems } = await readLayer({ database: name }, context)
  context.clearProgress()
  const notes = [
    ...formatNotes(report),
    ...layerNotes(layer, problems),
    ...(described ? describedNotes(described) : []),
  ]
  if (options.json) {
    const { tables, columns, values, milliseconds, bytes } = report
    writeJson(terminal.out, { tables, columns, values, milliseconds, bytes })
    for (const line of notes) terminal.err.write(`${line}\n`)
  } else terminal.out.write(`${[...writeReport(report), ...notes].join('\n')}\n`)
  return report.knowledgeProblems.length + problems.length > 0 ? 1 : 0
}

const layerNotes = (layer: SemanticLayer, problems: readonly KnowledgeProblem[]): readonly string[] => [
  semanticCopy.counts(countLayer(layer)),
  ...formatSection(semanticCopy.problemsTitle, problems.map(formatProblem)),
]

const makeDescribingModels = async (
  { config, resources }: CommandContext,
  named: string | null,
): Promise<Models> => {
  const usage = { ledger: makeMemoryModelLedger(), askedBy: async () => null }
  const models = await makeModels(config, named, {
    accounting: usage,
    log: resources.log,
    inSpan: await resources.inSpan(),
  })
  if (models) return models
  throw new QuerentError('bad-arguments', copy.needsModel)
}

const describedNotes = ({ file, tables, columns, failed, usage }: DescribedDatabase): readonly string[] => [
  copy.described(tables, columns, file),
  copy.usage(usage.modelCalls, usage.promptTokens + usage.completionTokens),
  ...formatSection(
    copy.notDescribedTitle,
    failed.map(({ table, why }) => copy.notDescribed(table, why)),
  ),
]

const writeReport = (report: IndexReport): readonly string[] => [
  copy.report(report.tables, report.columns, report.values, report.milliseconds),
  `${pc.dim(copy.size)} ${copy.megabytes(report.bytes)}`,
]

const formatNotes = ({ derivedKeys, leftOut, knowledgeProblems }: IndexReport): readonly string[] => [
  ...formatSection(
    copy.keysTitle,
    derivedKeys.map(({ from, to, inclusion }) =>
      copy.key(
        `${from.table}.${from.columns.join(', ')}`,
        `${to.table}.${to.columns.join(', ')}`,
        inclusion ?? 0,
      ),
    ),
  ),
  ...formatSection(
    copy.omittedTitle,
    leftOut.map(({ what, why }) => copy.omitted(what, why)),
  ),
  ...formatSection(
    copy.problemsTitle,
    knowledgeProblems.map(({ at, message }) => copy.problem(at.file, at.line, message)),
  ),
]

const formatSection = (title: string, lines: readonly string[]): readonly string[] => {
  if (lines.length === 0) return []
  const more = lines.length - MAX_LINES
  return [
    pc.bold(title),
    ...lines.slice(0, MAX_LINES).map(line => `  ${line}`),
    ...(more > 0 ? [pc.dim(`  ${copy.more(more)}`)] : []),
  ]
}

/** `values`: shows which values of a database match a keyword. */
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
    terminal.out.write(`${valuesCopy.none}\n`)
    return 0
  }
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: [...valuesCopy.head],
  })
  for (const { table: name, column, value, score } of found)
    table.push([score.toFixed(2), name, column, value])
  terminal.out.write(`${table.toString()}\n`)
  return 0
}
