import { openEvaluated } from '../../bench/open-evaluated.ts'
import { toPoolDatabase } from '../../src/cli/evaluation/pool-databases.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import { evaluationLimits } from '../../src/evaluation/evaluation-database.ts'
import { executePools, type PoolQuestion } from '../../src/evaluation/execute-pools.ts'
import { parsePoolSpec, readPoolsFile } from '../../src/evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../../src/evaluation/questions-file.ts'
import { type FactName, factNames, shapeFacts } from '../../src/ranking/shape-prior/answer-prior.ts'
import { columnOf, type OrderCue, orderCues, placeItems } from '../../src/ranking/shape-prior/column-order.ts'
import { columnContext, columnCues } from '../../src/ranking/shape-prior/columns.ts'
import {
  findMentions,
  type QuestionMentions,
  questionCues,
} from '../../src/ranking/shape-prior/question-mentions.ts'
import { type SqlShape, sqlShape } from '../../src/sql/analyze/sql-shape.ts'

/** A question with the shape of its known SQL. */
export interface KnownAnswer {
  readonly database: string
  readonly question: string
  readonly reading: QuestionMentions
  readonly shape: SqlShape
}

/** Reads a question and its SQL; null for SQL that has no shape. */
export const knownAnswer = (
  line: { readonly database: string; readonly question: string; readonly gold: string },
  catalog: Catalog,
): KnownAnswer | null => {
  const shape = sqlShape(line.gold, 'sqlite')
  if (shape === null) return null
  return {
    database: line.database,
    question: line.question,
    reading: findMentions(line.question, catalog),
    shape,
  }
}

/** A case of a multinomial model, its cues by name. */
export interface NamedCase {
  readonly database: string
  readonly cues: readonly string[]
  readonly label: string
}

/** The cases of each fact. */
export const factCases = (answers: readonly KnownAnswer[]): ReadonlyMap<FactName, readonly NamedCase[]> => {
  const cues = answers.map(({ reading }) => questionCues(reading))
  return new Map(
    factNames.map(fact => [
      fact,
      answers.map(({ database, shape, reading }, at) => ({
        database,
        cues: cues[at] as readonly string[],
        label: shapeFacts[fact](shape, reading.catalog),
      })),
    ]),
  )
}

/** A case for every column of the database: shown plainly, aggregated or not. */
export const columnCases = (answers: readonly KnownAnswer[]): readonly NamedCase[] =>
  answers.flatMap(({ database, reading, shape }) => {
    if (shape.items.some(({ star, aggregate }) => star && aggregate === null)) return []
    const context = columnContext(reading)
    const roles = new Map(
      shape.items.map(item => [
        columnOf(item, shape, reading),
        item.aggregate === null ? 'plain' : 'aggregated',
      ]),
    )
    const names = new Set([...roles.keys()].map(column => column?.name.toLowerCase()))
    return reading.catalog.columns.flatMap(column => {
      const label = roles.get(column) ?? 'none'
      // The other side of a join might have been shown as well; which one was says nothing.
      if (label === 'none' && column.isKey && names.has(column.name.toLowerCase())) return []
      return [{ database, cues: columnCues(column, context), label }]
    })
  })

/** A pair of items in the order in which they stand. */
export interface OrderCase {
  readonly database: string
  readonly cues: readonly OrderCue[]
}

export const orderCases = (answers: readonly KnownAnswer[]): readonly OrderCase[] =>
  answers.flatMap(({ database, reading, shape }) => {
    const items = placeItems(shape, reading)
    return items.flatMap((left, at) =>
      items.slice(at + 1).map(right => ({ database, cues: orderCues(left, right, reading) })),
    )
  })

const catalogLimits = { timeoutMs: 30_000, maxRows: 10_000, maxBytes: 100_000_000 }

/** Reads the usable questions of a file, with the catalogs of their SQLite databases. Nothing is executed. */
export const readAnswers = async (input: {
  readonly questions: string
  readonly databases: string
}): Promise<readonly KnownAnswer[]> => {
  const lines = selectUsable(await readQuestionsFile(input.questions))
  const answers: KnownAnswer[] = []
  for (const [id, ofDatabase] of Map.groupBy(lines, line => line.db_id)) {
    const { database, close } = await openEvaluated(input.databases, id, catalogLimits)
    await close()
    for (const { question, gold } of ofDatabase) {
      const answer = gold === null ? null : knownAnswer({ database: id, question, gold }, database.catalog)
      if (answer !== null) answers.push(answer)
    }
  }
  return answers
}

/** A question with all of its candidates run, and the catalog of its database. */
export interface RunQuestion extends PoolQuestion {
  readonly question: string
  readonly catalog: Catalog
}

/** Runs the candidates of pools, by the names of the pools as they are given (`a+b`, `systems:x,y`). */
export const readPools = async (input: {
  readonly pools: string
  readonly questions: string
  readonly databases: string
  readonly names: readonly string[]
}): Promise<ReadonlyMap<string, readonly RunQuestion[]>> => {
  const lines = selectUsable(await readQuestionsFile(input.questions))
  const catalogs = new Map<string, Catalog>()
  const executed = await executePools({
    lines,
    pools: await readPoolsFile(input.pools),
    specs: Object.fromEntries(input.names.map(name => [name, parsePoolSpec(name)])),
    timeoutMs: evaluationLimits.timeoutMs,
    signal: new AbortController().signal,
    open: async dbId => {
      const { database, close } = await openEvaluated(input.databases, dbId, evaluationLimits)
      catalogs.set(dbId, database.catalog)
      return toPoolDatabase(database, close)
    },
    onProgress: ({ done, total }) => process.stderr.write(`\r${done} of ${total} questions`),
  })
  process.stderr.write('\n')
  const asked = new Map(lines.map(({ id, question }) => [id, question]))
  return new Map(
    [...executed].map(([name, list]) => [
      name,
      list.map(one => ({
        ...one,
        question: asked.get(one.id) ?? '',
        catalog: catalogs.get(one.database) as Catalog,
      })),
    ]),
  )
}
