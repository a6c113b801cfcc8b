import { join } from 'node:path'
import Table from 'cli-table3'
import pc from 'picocolors'
import { sampleCompany } from '../../bootstrap/databases/databases.ts'
import type { KnowledgeProblem } from '../../domain/knowledge.ts'
import type { SemanticLayer } from '../../domain/metrics/semantic-layer.ts'
import { proposeLayer } from '../../semantic-layer/propose/propose-layer.ts'
import {
  describeMetric,
  describeModel,
  describeSegment,
  describeUnit,
} from '../../semantic-layer/review/describe-item.ts'
import type { CommandContext } from '../command-context.ts'
import { semanticCopy as copy, type LayerCounts } from '../copy/semantic.ts'
import { terminalWidth, writeJson } from '../terminal.ts'

/** The arguments of the `semantic` commands. */
export interface SemanticOptions {
  readonly database?: string
  readonly proposed?: boolean
  readonly kind?: string
  readonly name?: string
  readonly acceptAll?: boolean
  readonly format?: string
  readonly paths?: readonly string[]
  readonly out?: string
  readonly force?: boolean
  readonly json?: boolean
}

/** The file in semantic/ for what is about a database; `ending`: for a file beside the one of `semantic review`. */
export const layerFileOf = (folder: string, database: string, ending = ''): string =>
  join(folder, `${database.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '')}${ending}.yml`)

/** The layer that questions are read by, and what is wrong with what it was made of. */
export interface ReadLayer {
  /** What the database is called in files. */
  readonly database: string
  readonly layer: SemanticLayer
  readonly problems: readonly KnowledgeProblem[]
  readonly notes: readonly KnowledgeProblem[]
}

/** Reads the layer of a database; without files and terms, it is what the catalog suggests. */
export const readLayer = async (
  { database: named }: Pick<SemanticOptions, 'database'>,
  { config, resources, signal }: Pick<CommandContext, 'config' | 'resources' | 'signal'>,
): Promise<ReadLayer> => {
  const name = named ?? config.defaultDatabase ?? sampleCompany
  resources.includeStoredDecisions()
  const database = await resources.openDatabase(name, { signal })
  const built = await resources.readSemanticLayer(name, { signal })
  return {
    database: database.name,
    layer: built?.layer ?? proposeLayer(database.catalog),
    problems: built?.problems ?? [],
    notes: built?.notes ?? [],
  }
}

/** How much of a layer is accepted and proposed. */
export const countLayer = ({ metrics, segments }: SemanticLayer): LayerCounts => {
  const count = (items: readonly { readonly status: 'accepted' | 'proposed' }[]) => {
    const accepted = items.filter(({ status }) => status === 'accepted').length
    return { accepted, proposed: items.length - accepted }
  }
  return { metrics: count(metrics), segments: count(segments) }
}

/** `semantic check`: every problem of the files about a database. Exit status 1 if there is one, for CI. */
export const runSemanticCheck = async (
  options: SemanticOptions,
  context: CommandContext,
): Promise<number> => {
  const { terminal } = context
  const { database, layer, problems, notes } = await readLayer(options, context)
  context.clearProgress()
  const counts = countLayer(layer)
  if (options.json)
    writeJson(terminal.out, { database, ...counts, problems: problems.map(toJson), notes: notes.map(toJson) })
  else {
    const lines = [
      ...problems.map(formatProblem),
      ...(notes.length > 0
        ? [pc.dim(copy.notesTitle), ...notes.map(note => pc.dim(`  ${formatProblem(note)}`))]
        : []),
      problems.length === 0 ? copy.noProblems(copy.counts(counts)) : copy.problems(problems.length),
    ]
    terminal.out.write(`${lines.join('\n')}\n`)
  }
  return problems.length > 0 ? 1 : 0
}

const toJson = ({ at, message }: KnowledgeProblem) => ({ file: at.file, line: at.line, message })

/** A problem with its file and line. */
export const formatProblem = ({ at, message }: KnowledgeProblem): string =>
  copy.problem(at.file, at.line, message)

/** `semantic list`: models, metrics and segments, and what each of them means. */
export const runSemanticList = async (options: SemanticOptions, context: CommandContext): Promise<number> => {
  const { terminal } = context
  const { layer } = await readLayer(options, context)
  context.clearProgress()
  const isShown = ({ status }: { readonly status: string }): boolean =>
    options.proposed !== true || status === 'proposed'
  const shown = {
    model: layer.models.filter(isShown).map(item => ({ ...wordsOf(item), meaning: describeModel(item) })),
    metric: layer.metrics.filter(isShown).map(item => {
      const unit = describeUnit(item.unit)
      const meaning = describeMetric(item, layer)
      return { ...wordsOf(item), meaning: unit === null ? meaning : `${meaning}, ${copy.unit(unit)}` }
    }),
    segment: layer.segments
      .filter(isShown)
      .map(item => ({ ...wordsOf(item), meaning: describeSegment(item, layer) })),
  }
  if (options.json) {
    const { model: models, metric: metrics, segment: segments } = shown
    writeJson(terminal.out, { models, metrics, segments })
    return 0
  }
  const sections = (['model', 'metric', 'segment'] as const).filter(kind => shown[kind].length > 0)
  const text = sections.map(kind => `${pc.bold(copy.titles[kind])}\n${tableOf(shown[kind], terminal.out)}`)
  const nothing = options.proposed ? copy.nothingProposed : copy.nothing
  terminal.out.write(`${text.length === 0 ? nothing : text.join('\n\n')}\n`)
  return 0
}

type ShownItem = ReturnType<typeof wordsOf> & { readonly meaning: string }

const wordsOf = ({
  name,
  label,
  synonyms,
  status,
}: {
  readonly name: string
  readonly label: string
  readonly synonyms: readonly string[]
  readonly status: 'accepted' | 'proposed'
}) => ({ name, label, synonyms, status })

const tableOf = (items: readonly ShownItem[], out: object): string => {
  const width = Math.max(100, terminalWidth(out) ?? 140)
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: [...copy.columns],
    colWidths: [26, 34, 10, width - 75],
    wordWrap: true,
  })
  for (const { name, label, synonyms, status, meaning } of items)
    table.push([name, [label, ...synonyms].join(', '), status, meaning])
  return table.toString()
}
